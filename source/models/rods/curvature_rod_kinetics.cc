// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/rods/curvature_rod.h>
#include <slender/models/rods/mass_points.h>
#include <slender/systems/kinetics.h>

#include <numeric>

namespace slender
{
  using curvature::AtPoints;
  using curvature::rule;
  using quaternion::Matrix3;

  /**
   * Material points along the rod, and their directors d1 and d2. A variation
   * of the strains turns a section by psi, which moves it by dr,
   *
   *   psi' = R d kappa,   dr' = psi x t,   dd = psi x d,
   *
   * and the second variation along the same direction is, with chi' = psi x
   * psi',
   *
   *   ddr' = chi x t + psi x (psi x t),   ddd = chi x d + psi x (psi x d).
   *
   * Coordinates are dense functions of the strains, all on the rank that has
   * the unknowns. Masses cannot be lumped: the same points serve.
   */
  class CurvatureRod::MovingPoints : public Kinetics
  {
  public:
    MovingPoints(const CurvatureRod &the_rod, const bool rotary)
      : rod(the_rod)
      , has_directors(rotary && rod.body.rotary_1 + rod.body.rotary_2 > 0.)
    {
      if (rod.layout().n_owned() == 0)
        return;
      std::vector<double> lengths;
      for (Index e = 0; e < rod.field.n_elements(); ++e)
        lengths.push_back(rod.field.length(e));
      the_masses = mass_points::masses(lengths, rod.body, has_directors);
    }

    bool
    is_linear() const override
    {
      return false;
    }

    Vector
    coordinates(const Vector &q) const override
    {
      Vector y(the_masses.size());
      if (y.size() > 0)
        write(track(q), y);
      return y;
    }

    Vector
    rates(const Vector &q, const Vector &direction) const override
    {
      if (the_masses.size() == 0)
        return Vector();
      return jacobian(q) * direction.head(rod.n_strain_unknowns());
    }

    Vector
    second_rates(const Vector &q, const Vector &direction) const override;

    void
    pull_back(const Vector &q,
              const Vector &forces,
              Vector       &gradient) const override
    {
      if (the_masses.size() > 0)
        gradient.head(rod.n_strain_unknowns()) +=
          jacobian(q).transpose() * forces;
    }

    void
    add_hessian(const Vector &q,
                double        factor,
                const Vector &forces,
                HessianSink  &sink) const override;

    Moments
    moments(const Vector &q, const Vector &rates) const override
    {
      return mass_points::moments(the_masses, stride(), coordinates(q), rates);
    }

    Vector
    rates_in(const Vector &q, const VelocityField &field) const override
    {
      return mass_points::rates_in(field, stride(), coordinates(q));
    }

  private:
    /// The rod cut into pieces at its material points.
    struct Track
    {
      Shape                        shape;
      std::vector<curvature::Pose> poses;  ///< of the points
      std::vector<std::size_t>     pieces; ///< that end there
    };

    /// Numbers for each point.
    Index
    stride() const
    {
      return has_directors ? 9 : 3;
    }

    /// What a state was asked for last: all that is wanted of a step's end is
    /// wanted of one state.
    struct Known
    {
      Strains         strains;
      curvature::Pose start;
      Track           track;
      Eigen::MatrixXd jacobian; ///< none if nobody has asked for it
    };

    const Known &
    at(const Vector &q) const
    {
      const Strains strains = rod.strains_of(q);
      if (known.strains.cols() != strains.cols() || known.strains != strains ||
          known.start.position != rod.start.position ||
          known.start.frame != rod.start.frame)
        {
          known.strains = strains;
          known.start   = rod.start;
          known.track   = integrated(strains);
          known.jacobian.resize(0, 0);
        }
      return known;
    }

    const Track &
    track(const Vector &q) const
    {
      return at(q).track;
    }

    Track
    integrated(const Strains &strains) const
    {
      Track result;
      result.shape.end = rod.start;
      auto &pose       = result.shape.end;
      auto &pieces     = result.shape.pieces;
      for (Index element = 0; element < rod.field.n_elements(); ++element)
        {
          double from = 0.;
          for (const double to : mass_points::places)
            {
              rod.field.integrate(strains, element, from, to, pose, pieces);
              result.poses.push_back(pose);
              result.pieces.push_back(pieces.size() - 1);
              from = to;
            }
          rod.field.integrate(strains, element, from, 1., pose, pieces);
        }
      return result;
    }

    void
    write(const Track &track, Vector &y) const
    {
      Index at = 0;
      for (const curvature::Pose &pose : track.poses)
        {
          y.segment<3>(at) = rod.body.length * pose.position;
          if (has_directors)
            {
              const Matrix3 R      = quaternion::to_matrix(pose.frame);
              y.segment<3>(at + 3) = R.col(1);
              y.segment<3>(at + 6) = R.col(2);
            }
          at += stride();
        }
    }

    /// dy/dq, one column for each strain that is an unknown.
    const Eigen::MatrixXd &
    jacobian(const Vector &q) const
    {
      const Known &here = at(q);
      if (here.jacobian.size() == 0)
        known.jacobian = jacobian(here.track);
      return here.jacobian;
    }

    Eigen::MatrixXd
    jacobian(const Track &track) const;

    const CurvatureRod &rod;
    bool                has_directors;
    mutable Known       known;
  };

  Eigen::MatrixXd
  CurvatureRod::MovingPoints::jacobian(const Track &track) const
  {
    const Index      n_columns = 3 * rod.field.n_strains();
    Eigen::MatrixXd  all = Eigen::MatrixXd::Zero(the_masses.size(), n_columns);
    Eigen::Matrix3Xd psi = Eigen::Matrix3Xd::Zero(3, n_columns);
    Eigen::Matrix3Xd dr  = psi;
    std::size_t      point = 0;
    for (std::size_t k = 0; k < track.shape.pieces.size(); ++k)
      {
        const curvature::Piece &piece = track.shape.pieces[k];
        // Strains that lie further on have not turned anything yet.
        const Index n_before = 3 * (piece.first_strain + piece.n_strains);
        Vector3     chord    = Vector3::Zero();
        for (int g = 0; g < curvature::n_points; ++g)
          chord += piece.length * rule().weights(g) * piece.frames[g].col(0);
        dr.leftCols(n_before) -=
          quaternion::cross_matrix(chord) * psi.leftCols(n_before);
        for (Index i = 0; i < piece.n_strains; ++i)
          for (int c = 0; c < 3; ++c)
            {
              const Index column = 3 * (piece.first_strain + i) + c;
              AtPoints<3> turning;
              for (int g = 0; g < curvature::n_points; ++g)
                turning.col(g) =
                  piece.length * piece.shape(i, g) * piece.frames[g].col(c);
              const AtPoints<3> turned = turning * rule().up_to_points;
              for (int g = 0; g < curvature::n_points; ++g)
                dr.col(column) +=
                  piece.length * rule().weights(g) *
                  Vector3(turned.col(g)).cross(Vector3(piece.frames[g].col(0)));
              psi.col(column) += turning * rule().weights.transpose();
            }
        for (; point < track.pieces.size() && track.pieces[point] == k; ++point)
          {
            const Index at = stride() * static_cast<Index>(point);
            all.block(at, 0, 3, n_before) =
              rod.body.length * dr.leftCols(n_before);
            if (has_directors)
              {
                const Matrix3 R =
                  quaternion::to_matrix(track.poses[point].frame);
                for (const int d : {1, 2})
                  all.block(at + 3 * d, 0, 3, n_before) =
                    -quaternion::cross_matrix(R.col(d)) *
                    psi.leftCols(n_before);
              }
          }
      }
    return all(Eigen::all, rod.unknown_strains);
  }

  Vector
  CurvatureRod::MovingPoints::second_rates(const Vector &q,
                                           const Vector &direction) const
  {
    Vector result(the_masses.size());
    if (result.size() == 0)
      return result;
    const Track  &track  = this->track(q);
    const Strains dkappa = rod.strains_of(direction);
    Vector3       psi = Vector3::Zero(), chi = psi, ddr = psi;
    std::size_t   point = 0;
    const auto    second =
      [](const Vector3 &p, const Vector3 &c, const Vector3 &d) {
        return Vector3(c.cross(d) + p.cross(p.cross(d)));
      };
    for (std::size_t k = 0; k < track.shape.pieces.size(); ++k)
      {
        const curvature::Piece &piece = track.shape.pieces[k];
        AtPoints<3>             turning, rate_of_chi;
        for (int g = 0; g < curvature::n_points; ++g)
          {
            Vector3 strain = Vector3::Zero();
            for (Index i = 0; i < piece.n_strains; ++i)
              strain += piece.shape(i, g) * dkappa.col(piece.first_strain + i);
            turning.col(g) = piece.length * piece.frames[g] * strain;
          }
        const AtPoints<3> psi_at =
          (turning * rule().up_to_points).colwise() + psi;
        for (int g = 0; g < curvature::n_points; ++g)
          rate_of_chi.col(g) =
            Vector3(psi_at.col(g)).cross(Vector3(turning.col(g)));
        const AtPoints<3> chi_at =
          (rate_of_chi * rule().up_to_points).colwise() + chi;
        for (int g = 0; g < curvature::n_points; ++g)
          ddr += piece.length * rule().weights(g) *
                 second(psi_at.col(g), chi_at.col(g), piece.frames[g].col(0));
        psi += turning * rule().weights.transpose();
        chi += rate_of_chi * rule().weights.transpose();
        for (; point < track.pieces.size() && track.pieces[point] == k; ++point)
          {
            const Index at        = stride() * static_cast<Index>(point);
            result.segment<3>(at) = rod.body.length * ddr;
            if (has_directors)
              {
                const Matrix3 R =
                  quaternion::to_matrix(track.poses[point].frame);
                for (const int d : {1, 2})
                  result.segment<3>(at + 3 * d) = second(psi, chi, R.col(d));
              }
          }
      }
    return result;
  }

  void
  CurvatureRod::MovingPoints::add_hessian(const Vector &q,
                                          const double  factor,
                                          const Vector &forces,
                                          HessianSink  &sink) const
  {
    if (the_masses.size() == 0)
      return;
    const Track           &track = this->track(q);
    const Eigen::MatrixXd &B     = jacobian(q);
    Eigen::MatrixXd H = factor * B.transpose() * the_masses.asDiagonal() * B;

    curvature::Loads loads;
    for (std::size_t p = 0; p < track.poses.size(); ++p)
      {
        const Index                 at = stride() * static_cast<Index>(p);
        curvature::Loads::OnSection load{track.pieces[p],
                                         rod.body.length *
                                           forces.segment<3>(at),
                                         Matrix3::Zero()};
        if (has_directors)
          {
            const Matrix3 R = quaternion::to_matrix(track.poses[p].frame);
            for (const int d : {1, 2})
              load.couple +=
                R.col(d) * forces.segment<3>(at + 3 * d).transpose();
          }
        loads.on_sections.push_back(load);
      }
    H += curvature::work_hessian(track.shape, loads, rod.field.n_strains())(
      rod.unknown_strains, rod.unknown_strains);

    std::vector<Index> unknowns(rod.n_strain_unknowns());
    std::iota(unknowns.begin(), unknowns.end(), 0);
    sink.add(unknowns.data(), rod.n_strain_unknowns(), H.data());
  }

  std::unique_ptr<Kinetics>
  CurvatureRod::kinetics(const MassOptions &options) const
  {
    if (body.mass_per_length == 0.)
      throw InputError("a rod without mass cannot move", "Rod/Density");
    return std::make_unique<MovingPoints>(*this, options.rotary);
  }
} // namespace slender
