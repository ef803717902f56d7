// A plate in the plane z = 0 of width 1 with a slanted end and a round hole of
// radius 0.25.
//
//   gmsh -2 -format msh22 plate_with_hole.geo
//
// Physical lines, which are the names of the edges in a parameter file:
// 1 the straight end that is clamped, 2 the slanted end, 3 the hole, 4 the sides.

SetFactory("Built-in");
size = 0.24; // before the subdivision, which halves it

Point(1) = {0, -0.5, 0, size};
Point(2) = {1.6, -0.5, 0, size};
Point(3) = {2.2, 0.5, 0, size};
Point(4) = {0, 0.5, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};

Point(5) = {0.9, 0, 0, size};
Point(6) = {1.15, 0, 0, size};
Point(7) = {0.9, 0.25, 0, size};
Point(8) = {0.65, 0, 0, size};
Point(9) = {0.9, -0.25, 0, size};
Circle(5) = {6, 5, 7};
Circle(6) = {7, 5, 8};
Circle(7) = {8, 5, 9};
Circle(8) = {9, 5, 6};

Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5, 6, 7, 8};
Plane Surface(1) = {1, 2};
Recombine Surface{1};

Physical Curve(1) = {4};
Physical Curve(2) = {2};
Physical Curve(3) = {5, 6, 7, 8};
Physical Curve(4) = {1, 3};
Physical Surface(1) = {1};

Mesh.Algorithm = 6;
Mesh.SubdivisionAlgorithm = 1; // quadrilaterals only
