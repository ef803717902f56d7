// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/base/formula.h>
#include <slender/contact/obstacle.h>

#include <cmath>

namespace slender
{
  namespace
  {
    using Eigen::Matrix3d;

    class Plane : public ObstacleShape
    {
    public:
      Plane(const Vector3 &the_point, const Vector3 &the_normal)
        : point(the_point)
        , outward(the_normal.normalized())
      {}

      double
      distance(const Vector3 &x) const override
      {
        return outward.dot(x - point);
      }

      Vector3
      normal(const Vector3 & /*x*/) const override
      {
        return outward;
      }

      Matrix3d
      curvature(const Vector3 & /*x*/) const override
      {
        return Matrix3d::Zero();
      }

    private:
      Vector3 point, outward;
    };

    /// All places at one distance from a point, or from a line through it.
    class Round : public ObstacleShape
    {
    public:
      Round(const Vector3  &the_centre,
            const Matrix3d &to_across,
            const double    the_radius)
        : centre(the_centre)
        , across(to_across)
        , radius(the_radius)
      {}

      double
      distance(const Vector3 &x) const override
      {
        return (across * (x - centre)).norm() - radius;
      }

      Vector3
      normal(const Vector3 &x) const override
      {
        const Vector3 r = across * (x - centre);
        const double  d = r.norm();
        // In the middle every direction is as good as any other.
        return d > 0. ? Vector3(r / d)
                      : Vector3((across * Vector3(1., 2., 3.)).normalized());
      }

      Matrix3d
      curvature(const Vector3 &x) const override
      {
        const Vector3 n = normal(x);
        const double  d = distance(x) + radius;
        return d > 0. ? Matrix3d((across - n * n.transpose()) / d)
                      : Matrix3d(Matrix3d::Zero());
      }

    private:
      Vector3  centre;
      Matrix3d across; ///< projects the line away
      double   radius;
    };

    class Box : public ObstacleShape
    {
    public:
      Box(const Vector3 &the_centre, const Vector3 &sides)
        : centre(the_centre)
        , half(0.5 * sides)
      {}

      double
      distance(const Vector3 &x) const override
      {
        const Vector3 d = (x - centre).cwiseAbs() - half;
        return d.cwiseMax(0.).norm() + std::min(d.maxCoeff(), 0.);
      }

      Vector3
      normal(const Vector3 &x) const override
      {
        const Vector3 r = x - centre, d = r.cwiseAbs() - half;
        Vector3       n = d.cwiseMax(0.);
        if (n.norm() == 0.)
          {
            Index nearest = 0;
            d.maxCoeff(&nearest);
            n = Vector3::Unit(nearest);
          }
        for (int c = 0; c < 3; ++c)
          n(c) = std::copysign(n(c), r(c));
        return n.normalized();
      }

      Matrix3d
      curvature(const Vector3 &x) const override
      {
        const Vector3 d    = (x - centre).cwiseAbs() - half;
        const double  size = d.cwiseMax(0.).norm();
        if (size == 0.)
          return Matrix3d::Zero();
        const Vector3 n = normal(x);
        Matrix3d      result;
        result = -n * n.transpose();
        for (int c = 0; c < 3; ++c)
          if (d(c) > 0.)
            result(c, c) += 1.;
        return result / size;
      }

    private:
      Vector3 centre, half;
    };

    /// Derivatives by central differences.
    class ByFormula : public ObstacleShape
    {
    public:
      ByFormula(const std::string &text, const double the_length)
        : formula(formula_of_place(text))
        , length(the_length)
      {}

      double
      distance(const Vector3 &x) const override
      {
        return formula(x);
      }

      Vector3
      normal(const Vector3 &x) const override
      {
        return slope(x).normalized();
      }

      Matrix3d
      curvature(const Vector3 &x) const override
      {
        Matrix3d result;
        for (int c = 0; c < 3; ++c)
          {
            const double  h = 1e-4 * size_at(x);
            const Vector3 e = h * Vector3::Unit(c);
            result.col(c)   = (slope(x + e) - slope(x - e)) / (2. * h);
          }
        return 0.5 * (result + result.transpose());
      }

      Vector3
      slope(const Vector3 &x) const
      {
        Vector3 result;
        for (int c = 0; c < 3; ++c)
          {
            const double  h = 1e-5 * size_at(x);
            const Vector3 e = h * Vector3::Unit(c);
            result(c)       = (distance(x + e) - distance(x - e)) / (2. * h);
          }
        return result;
      }

    private:
      /// In which a formula may be supposed to change little by little. Far
      /// away from the origin places have few digits left for differences.
      double
      size_at(const Vector3 &x) const
      {
        return std::max(length, 1e-3 * x.norm());
      }

      std::function<double(const Vector3 &)> formula;
      double                                 length;
    };
  } // namespace

  std::unique_ptr<ObstacleShape>
  make_plane(const Vector3 &point, const Vector3 &normal)
  {
    return std::make_unique<Plane>(point, normal);
  }

  std::unique_ptr<ObstacleShape>
  make_sphere(const Vector3 &centre, const double radius)
  {
    return std::make_unique<Round>(centre, Matrix3d::Identity(), radius);
  }

  std::unique_ptr<ObstacleShape>
  make_cylinder(const Vector3 &point, const Vector3 &axis, const double radius)
  {
    const Vector3 a = axis.normalized();
    return std::make_unique<Round>(point,
                                   Matrix3d::Identity() - a * a.transpose(),
                                   radius);
  }

  std::unique_ptr<ObstacleShape>
  make_box(const Vector3 &centre, const Vector3 &sides)
  {
    return std::make_unique<Box>(centre, sides);
  }

  std::unique_ptr<ObstacleShape>
  make_formula(const std::string &formula, const double length)
  {
    return std::make_unique<ByFormula>(formula, length);
  }
} // namespace slender
