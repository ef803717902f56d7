// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/errors.h>
#include <slender/models/ribbons/ribbon.h>
#include <slender/models/rods/mass_points.h>
#include <slender/systems/kinetics.h>

#include <numeric>

namespace slender
{
  using curvature::AtPoints;
  using curvature::Matrix3;
  using curvature::n_points;
  using curvature::rule;
  using ribbons::Piece;

  namespace
  {
    using Turns =
      Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, ribbons::max_local>;

    /// How a variation of the element's unknowns turns what lies beyond the
    /// points of a piece, per length of it.
    std::array<Turns, n_points>
    turning(const Piece &piece)
    {
      std::array<Turns, n_points> result;
      for (int g = 0; g < n_points; ++g)
        result[g] = piece.frames[g] * piece.points[g].rate.topRows<3>();
      return result;
    }

    Vector3
    tangent(const Piece &piece, const int g)
    {
      return (1. + piece.points[g].value(ribbons::stretch)) *
             piece.frames[g].col(0);
    }

    /// a -> (a x (b x c)).f as a matrix between a and b, for K = c f^T.
    Matrix3
    twice_turned(const Matrix3 &K)
    {
      return K - K.trace() * Matrix3::Identity();
    }
  } // namespace

  /**
   * Centres of mass of sections, y = r + delta d2, and directors d1 and d2. A
   * variation a of the unknowns turns a section by psi_a and moves it by
   *
   *   psi_a' = R d_a kappa,   d_a r' = psi_a x t + d_a epsilon R e_1
   *
   * with t = (1 + epsilon) R e_1; and a second one, b, with
   * chi_ab' = psi_b x psi_a' + R d_ab kappa,
   *
   *   d_ab r' = chi_ab x t + psi_a x (psi_b x t)
   *           + (d_b epsilon psi_a + d_a epsilon psi_b) x R e_1.
   *
   * Summed with forces f on the points, with F = sum f and
   * M = int t x F + sum (delta d2) x f over what lies beyond,
   *
   *   sum f.d_ab y = int M.chi_ab' + psi_a.(t F^T - t.F) psi_b
   *                + (d_b epsilon psi_a + d_a epsilon psi_b).(R e_1 x F)
   *
   * and what directions of the sections themselves add.
   */
  class Ribbon::MovingSections : public Kinetics
  {
  public:
    MovingSections(const Ribbon &the_ribbon, const bool rotary)
      : ribbon(the_ribbon)
      , has_directors(rotary &&
                      ribbon.body.rotary_1 + ribbon.body.rotary_2 > 0.)
    {
      if (ribbon.layout().n_owned() == 0)
        return;
      std::vector<double> lengths;
      for (Index e = 0; e < ribbon.elements->n_elements(); ++e)
        lengths.push_back(ribbon.elements->length(e));
      the_masses = mass_points::masses(lengths, ribbon.body, has_directors);
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
      if (y.size() == 0)
        return y;
      Index at = 0;
      for (const Section &section : track(q).sections)
        {
          y.segment<3>(at) =
            ribbon.body.length *
            (section.position + section.offset * section.R.col(2));
          for (const int d : {1, 2})
            if (has_directors)
              y.segment<3>(at + 3 * d) = section.R.col(d);
          at += stride();
        }
      return y;
    }

    Vector
    rates(const Vector &q, const Vector &direction) const override
    {
      if (the_masses.size() == 0)
        return Vector();
      return jacobian(track(q)) * direction;
    }

    Vector
    second_rates(const Vector &q, const Vector &direction) const override;

    void
    pull_back(const Vector &q,
              const Vector &forces,
              Vector       &gradient) const override
    {
      if (the_masses.size() > 0)
        gradient += jacobian(track(q)).transpose() * forces;
    }

    void
    add_hessian(const Vector &q,
                double        factor,
                const Vector &forces,
                HessianSink  &sink) const override
    {
      if (the_masses.size() == 0)
        return;
      const Track           along = track(q);
      const Eigen::MatrixXd B     = jacobian(along);
      const Eigen::MatrixXd H =
        factor * B.transpose() * the_masses.asDiagonal() * B +
        second_derivative(along, forces);
      std::vector<Index> all(H.cols());
      std::iota(all.begin(), all.end(), 0);
      sink.add(all.data(), static_cast<Index>(all.size()), H.data());
    }

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
    /// Where a mass is.
    struct Section
    {
      std::size_t        piece; ///< that ends there
      Vector3            position;
      Matrix3            R;
      double             offset;      ///< delta
      Eigen::RowVectorXd offset_rate; ///< by all unknowns
    };

    /// The ribbon, cut into pieces at its masses.
    struct Track
    {
      std::vector<Piece>   pieces;
      std::vector<Section> sections;
    };

    Index
    stride() const
    {
      return has_directors ? 9 : 3;
    }

    Track
    track(const Vector &q) const
    {
      const auto   &elements = *ribbon.elements;
      ribbons::Pose pose     = ribbon.start;
      Track         result;
      for (Index e = 0; e < elements.n_elements(); ++e)
        {
          double from = 0.;
          for (const double to : mass_points::places)
            {
              elements.integrate(q, e, from, to, pose, result.pieces);
              const auto  m = elements.measures(e, to, elements.gather(e, q));
              Section     section{result.pieces.size() - 1,
                              pose.position,
                              quaternion::to_matrix(pose.frame),
                              m.value(ribbons::mass_offset),
                              Eigen::RowVectorXd::Zero(elements.n_unknowns())};
              const auto &mine = elements.unknowns(e);
              for (std::size_t i = 0; i < mine.size(); ++i)
                if (mine[i] >= 0)
                  section.offset_rate(mine[i]) =
                    m.rate(ribbons::mass_offset, static_cast<Index>(i));
              result.sections.push_back(std::move(section));
              from = to;
            }
          elements.integrate(q, e, from, 1., pose, result.pieces);
        }
      return result;
    }

    /// Adds what is of a piece's own unknowns to columns of all unknowns.
    void
    scatter(const Piece &piece, const Turns &local, Eigen::Matrix3Xd &all) const
    {
      const auto &mine = ribbon.elements->unknowns(piece.element);
      for (std::size_t i = 0; i < mine.size(); ++i)
        if (mine[i] >= 0)
          all.col(mine[i]) += local.col(static_cast<Index>(i));
    }

    Eigen::MatrixXd
    jacobian(const Track &track) const;

    /// sum f.d2y/dq2.
    Eigen::MatrixXd
    second_derivative(const Track &track, const Vector &forces) const;

    const Ribbon &ribbon;
    bool          has_directors;
  };

  Eigen::MatrixXd
  Ribbon::MovingSections::jacobian(const Track &track) const
  {
    const Index      n   = ribbon.elements->n_unknowns();
    Eigen::MatrixXd  all = Eigen::MatrixXd::Zero(the_masses.size(), n);
    Eigen::Matrix3Xd psi = Eigen::Matrix3Xd::Zero(3, n), dr = psi;
    auto             section = track.sections.begin();
    Index            at      = 0;
    for (std::size_t k = 0; k < track.pieces.size(); ++k)
      {
        const Piece &piece   = track.pieces[k];
        const auto   rates   = turning(piece);
        const Index  n_local = static_cast<Index>(rates[0].cols());
        Vector3      chord   = Vector3::Zero();
        Turns turned = Turns::Zero(3, n_local), moved = Turns::Zero(3, n_local);
        for (int g = 0; g < n_points; ++g)
          {
            const double w = piece.length * rule().weights(g);
            chord += w * tangent(piece, g);
            Turns psi_here = Turns::Zero(3, n_local);
            for (int j = 0; j < n_points; ++j)
              psi_here += piece.length * rule().up_to_points(j, g) * rates[j];
            moved -= w * quaternion::cross_matrix(tangent(piece, g)) * psi_here;
            moved += w * piece.frames[g].col(0) *
                     piece.points[g].rate.row(ribbons::stretch);
            turned += w * rates[g];
          }
        dr -= quaternion::cross_matrix(chord) * psi;
        scatter(piece, moved, dr);
        scatter(piece, turned, psi);
        for (; section != track.sections.end() && section->piece == k;
             ++section, at += stride())
          {
            const Matrix3 &R = section->R;
            all.middleRows<3>(at) =
              ribbon.body.length *
              (dr + R.col(2) * section->offset_rate -
               section->offset * quaternion::cross_matrix(R.col(2)) * psi);
            for (const int d : {1, 2})
              if (has_directors)
                all.middleRows<3>(at + 3 * d) =
                  -quaternion::cross_matrix(R.col(d)) * psi;
          }
      }
    return all;
  }

  Vector
  Ribbon::MovingSections::second_rates(const Vector &q,
                                       const Vector &direction) const
  {
    Vector result(the_masses.size());
    if (result.size() == 0)
      return result;
    const Track track = this->track(q);
    Vector3     psi = Vector3::Zero(), chi = psi, ddr = psi;
    auto        section = track.sections.begin();
    Index       at      = 0;
    const auto  second =
      [](const Vector3 &p, const Vector3 &c, const Vector3 &d) {
        return Vector3(c.cross(d) + p.cross(p.cross(d)));
      };
    for (std::size_t k = 0; k < track.pieces.size(); ++k)
      {
        const Piece               &piece = track.pieces[k];
        const ribbons::LocalVector u =
          ribbon.elements->gather(piece.element, direction);
        const auto  rates = turning(piece);
        AtPoints<3> turned, chi_rate;
        for (int g = 0; g < n_points; ++g)
          turned.col(g) = piece.length * rates[g] * u;
        const AtPoints<3> psi_at =
          (turned * rule().up_to_points).colwise() + psi;
        for (int g = 0; g < n_points; ++g)
          {
            chi_rate.col(g) =
              Vector3(psi_at.col(g)).cross(Vector3(turned.col(g)));
            const ribbons::LocalMatrix bilinear =
              ribbon.elements->twist_hessian(piece.element, piece.xi(g));
            if (bilinear.size() > 0)
              chi_rate.col(g) +=
                piece.length * u.dot(bilinear * u) * piece.frames[g].col(0);
          }
        const AtPoints<3> chi_at =
          (chi_rate * rule().up_to_points).colwise() + chi;
        for (int g = 0; g < n_points; ++g)
          {
            const double stretching =
              piece.points[g].rate.row(ribbons::stretch).dot(u);
            const Vector3 p = psi_at.col(g);
            ddr += piece.length * rule().weights(g) *
                   (second(p, chi_at.col(g), tangent(piece, g)) +
                    2. * stretching * p.cross(piece.frames[g].col(0)));
          }
        psi += turned * rule().weights.transpose();
        chi += chi_rate * rule().weights.transpose();
        for (; section != track.sections.end() && section->piece == k;
             ++section, at += stride())
          {
            const Matrix3 &R = section->R;
            result.segment<3>(at) =
              ribbon.body.length *
              (ddr + section->offset * second(psi, chi, R.col(2)) +
               2. * section->offset_rate.dot(direction) *
                 psi.cross(Vector3(R.col(2))));
            for (const int d : {1, 2})
              if (has_directors)
                result.segment<3>(at + 3 * d) = second(psi, chi, R.col(d));
          }
      }
    return result;
  }

  Eigen::MatrixXd
  Ribbon::MovingSections::second_derivative(const Track  &track,
                                            const Vector &forces) const
  {
    // Backwards: forces and moments of what lies beyond.
    const std::size_t        n_pieces = track.pieces.size();
    std::vector<Vector3>     force(n_pieces);
    std::vector<AtPoints<3>> moment(n_pieces);
    std::vector<Matrix3>     couples(track.sections.size());
    {
      Vector3     F = Vector3::Zero(), M = F;
      std::size_t p = track.sections.size();
      for (std::size_t k = n_pieces; k-- > 0;)
        {
          for (; p > 0 && track.sections[p - 1].piece == k; --p)
            {
              const Section &section = track.sections[p - 1];
              const Index    at      = stride() * static_cast<Index>(p - 1);
              const Vector3  f = ribbon.body.length * forces.segment<3>(at);
              Matrix3       &K = couples[p - 1];
              K = section.offset * section.R.col(2) * f.transpose();
              for (const int d : {1, 2})
                if (has_directors)
                  K += section.R.col(d) *
                       forces.segment<3>(at + 3 * d).transpose();
              F += f;
              M += Vector3(K(1, 2) - K(2, 1),
                           K(2, 0) - K(0, 2),
                           K(0, 1) - K(1, 0));
            }
          const Piece &piece = track.pieces[k];
          AtPoints<3>  rate;
          for (int g = 0; g < n_points; ++g)
            rate.col(g) = piece.length * tangent(piece, g).cross(F);
          M += rate * rule().weights.transpose();
          force[k]  = F;
          moment[k] = (-rate * rule().up_to_points).colwise() + M;
        }
    }

    const Index      n   = ribbon.elements->n_unknowns();
    Eigen::MatrixXd  H   = Eigen::MatrixXd::Zero(n, n);
    Eigen::Matrix3Xd psi = Eigen::Matrix3Xd::Zero(3, n);
    std::size_t      p   = 0;
    for (std::size_t k = 0; k < n_pieces; ++k)
      {
        const Piece &piece   = track.pieces[k];
        const auto   rates   = turning(piece);
        const Index  n_local = static_cast<Index>(rates[0].cols());
        const auto  &mine    = ribbon.elements->unknowns(piece.element);
        Turns        turned  = Turns::Zero(3, n_local);
        for (int g = 0; g < n_points; ++g)
          {
            const double w      = piece.length * rule().weights(g);
            Turns        before = Turns::Zero(3, n_local);
            for (int j = 0; j < n_points; ++j)
              before += piece.length * rule().up_to_points(j, g) * rates[j];
            Eigen::Matrix3Xd here = psi;
            scatter(piece, before, here);
            const Vector3 t = tangent(piece, g), M = moment[k].col(g),
                          lever = piece.frames[g].col(0).cross(force[k]);
            H.noalias() += w * here.transpose() *
                           (twice_turned(t * force[k].transpose()) * here);
            // psi_a' . (M x psi_b), and stretching: rows or columns of the
            // element's own unknowns.
            const Eigen::MatrixXd of_turning =
              w * rates[g].transpose() * (quaternion::cross_matrix(M) * here);
            const Vector         of_stretch = w * here.transpose() * lever;
            ribbons::LocalMatrix bilinear =
              ribbon.elements->twist_hessian(piece.element, piece.xi(g));
            if (bilinear.size() > 0)
              bilinear *= w * piece.frames[g].col(0).dot(M);
            for (Index i = 0; i < n_local; ++i)
              if (mine[i] >= 0)
                {
                  const double e = piece.points[g].rate(ribbons::stretch, i);
                  H.row(mine[i]) +=
                    of_turning.row(i) + e * of_stretch.transpose();
                  H.col(mine[i]) += e * of_stretch;
                  for (Index j = 0; j < n_local && bilinear.size() > 0; ++j)
                    if (mine[j] >= 0)
                      H(mine[i], mine[j]) += bilinear(i, j);
                }
            turned += w * rates[g];
          }
        scatter(piece, turned, psi);
        for (; p < track.sections.size() && track.sections[p].piece == k; ++p)
          {
            const Section &section = track.sections[p];
            H.noalias() += psi.transpose() * (twice_turned(couples[p]) * psi);
            const Vector3 f =
              ribbon.body.length *
              forces.segment<3>(stride() * static_cast<Index>(p));
            const Vector lever = psi.transpose() * section.R.col(2).cross(f);
            H += lever * section.offset_rate +
                 section.offset_rate.transpose() * lever.transpose();
          }
      }
    return 0.5 * (H + H.transpose());
  }

  std::unique_ptr<Kinetics>
  Ribbon::kinetics(const MassOptions &options) const
  {
    if (body.mass_per_length == 0.)
      throw InputError("a ribbon without mass cannot move", "Rod/Density");
    if (!elements->has_twist_of_its_own())
      throw InputError("a ribbon that is developable has no inertia against "
                       "twisting where it is flat; what moves can be a "
                       "'stretchable ribbon' or a shell",
                       "Model");
    return std::make_unique<MovingSections>(*this, options.rotary);
  }
} // namespace slender
