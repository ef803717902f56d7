// SPDX-License-Identifier: LGPL-2.1-or-later
#include <slender/solvers/ghosts.h>
#include <slender/solvers/petsc.h>

namespace slender
{
  struct Exchange::Vectors
  {
    explicit Vectors(const Layout &layout)
    {
      *(&vector) = petsc::create_vector(layout);
    }

    petsc::Owned<Vec, VecDestroy> vector;
  };

  Exchange::Exchange(const Layout &the_layout)
    : layout(the_layout)
  {
    int n_ranks = 1;
    MPI_Comm_size(layout.communicator, &n_ranks);
    is_alone = n_ranks == 1;
    if (!is_alone)
      vectors = std::make_unique<Vectors>(layout);
  }

  Exchange::~Exchange() = default;

  Vector
  Exchange::with_ghosts(const Vector &share) const
  {
    if (is_alone)
      return share;
    petsc::set_values(vectors->vector, share);
    return petsc::local_values(vectors->vector);
  }

  Vector
  Exchange::accumulated(const Vector &share) const
  {
    if (is_alone)
      return share;
    petsc::set_and_accumulate(vectors->vector, share);
    return petsc::local_values(vectors->vector);
  }

  Eigen::MatrixXd
  Exchange::products(const Eigen::MatrixXd &A, const Eigen::MatrixXd &B) const
  {
    const Index     n      = layout.n_owned();
    Eigen::MatrixXd result = A.topRows(n).transpose().lazyProduct(B.topRows(n));
    if (!is_alone)
      MPI_Allreduce(MPI_IN_PLACE,
                    result.data(),
                    static_cast<int>(result.size()),
                    MPI_DOUBLE,
                    MPI_SUM,
                    layout.communicator);
    return result;
  }

  double
  Exchange::product(const Vector &a, const Vector &b) const
  {
    const Index  n     = layout.n_owned();
    const double share = a.head(n).dot(b.head(n));
    return is_alone ? share : sum_over_ranks(layout, share);
  }

  double
  Exchange::largest(const Vector &share) const
  {
    const Index n      = layout.n_owned();
    double      result = n > 0 ? share.head(n).cwiseAbs().maxCoeff() : 0.;
    if (!is_alone)
      MPI_Allreduce(
        MPI_IN_PLACE, &result, 1, MPI_DOUBLE, MPI_MAX, layout.communicator);
    return result;
  }

  Vector
  with_ghosts(const Layout &layout, const Vector &share)
  {
    return Exchange(layout).with_ghosts(share);
  }
} // namespace slender
