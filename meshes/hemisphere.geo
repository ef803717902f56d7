// A quarter of a hemisphere of radius 10 about the origin, with a hole of 18
// degrees at its pole: unstructured quadrilaterals of degree 4, whose nodes are
// all on the sphere.
//
//   gmsh -2 -format msh22 hemisphere.geo
//
// More cells: gmsh -2 -format msh22 -setnumber size 2 hemisphere.geo

SetFactory("Built-in");
DefineConstant[ size = 4 ]; // before the subdivision, which halves it
DefineConstant[ degree = 4 ];
radius = 10;
latitude = 72 * Pi / 180;

Point(1) = {0, 0, 0};
Point(2) = {radius, 0, 0, size};
Point(3) = {0, radius, 0, size};
Point(4) = {0, radius * Cos(latitude), radius * Sin(latitude), size};
Point(5) = {radius * Cos(latitude), 0, radius * Sin(latitude), size};
Point(6) = {0, 0, radius * Sin(latitude)};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Circle(3) = {4, 6, 5};
Circle(4) = {5, 1, 2};

Curve Loop(1) = {1, 2, 3, 4};
Surface(1) = {1} In Sphere {1};
Recombine Surface{1};

// The names of the edges in a parameter file.
Physical Curve("equator", 1) = {1};
Physical Curve("end", 2) = {2};
Physical Curve("hole", 3) = {3};
Physical Curve("start", 4) = {4};
Physical Surface("shell", 1) = {1};

Mesh.Algorithm = 6;
Mesh.SubdivisionAlgorithm = 1; // quadrilaterals only
Mesh.ElementOrder = degree;
