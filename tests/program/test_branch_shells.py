# SPDX-License-Identifier: LGPL-2.1-or-later
"""The study `branch` on a thin shell, whose branches are narrow: the thickness of a
plate is a thousandth of its length."""

import math

from support import ProgramTest, main

PLATE = """
set Study = branch
set Model = koiter shell
subsection Branch
  set Parameter       = right load
  set Maximum         = 60
  set Switching depth = 1
end
subsection Continuation
  set First step   = 0.05
  set Largest step = 0.1
end
subsection Shell
  set Young's modulus = 1.092e10    # D = 1
  set Poisson's ratio = 0.3
  set Thickness       = 1e-3
end
subsection Surface
  set Shape         = rectangle
  set Length        = 1
  set Width         = 1
  set Cells along u = 4
  set Cells along v = 4
end
subsection Edge 1
  set Name             = left
  set Hold             = custom
  set Fixed directions = x, z
end
subsection Edge 2
  set Name             = right
  set Hold             = custom
  set Fixed directions = z
  set Load direction   = -1, 0, 0
end
subsection Edge 3
  set Name             = bottom
  set Hold             = custom
  set Fixed directions = z
end
subsection Edge 4
  set Name             = top
  set Hold             = custom
  set Fixed directions = z
end
subsection Point 1
  set Name     = centre
  set Position = 0.5, 0, 0
end
subsection Point 2
  set Name             = pin
  set Position         = 0, 0, 0
  set Fixed directions = y
end
"""

class ThinBranches(ProgramTest):
    def follow(self, text, output):
        file = self.directory / f"{output}.prm"
        file.write_text(text, encoding="utf-8")
        return self.study(file, output=output)

    def test_a_thin_plate_beyond_buckling(self):
        run = self.follow(PLATE, "plate")
        (load,) = run.results.of_kind("BP")
        # 4 pi^2, but for the mesh.
        self.assertAlmostEqual(float(load["right_load"]) / (4 * math.pi**2), 1, delta=1e-3)
        self.assertLess(float(load["uncertainty"]), 1e-6)
        self.assertGreater(float(load["koiter_b"]), 0)
        ends = [r for r in run.results.rows if r["branch"] != "1" and r["kind"] == "EP"]
        # Both branches begin and end stable, and come to the end of the range.
        self.assertEqual([r["stability_index"] for r in ends], ["0"] * 4)
        for row in ends[1::2]:
            self.assertEqual(float(row["right_load"]), 60)
            self.assertGreater(abs(float(row["centre_displacement_z"])), 1e-4)


if __name__ == "__main__":
    main()
