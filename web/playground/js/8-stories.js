// stories: what the tool is for, in steps with a question each. A step sets parameters, shows the sliders that matter, and may keep the curves of the
// step before it, pale, behind its own.

const STORIES = [
  {
    name: "creep", title: "LuGre creeps, the set holds", model: "stories/creep",
    steps: [
      {
        title: "Push a block, but not hard enough",
        text: ["A block lies on a rough floor whose friction can bear F = 0.5 N. The push exceeds that for a moment and the block slides 2 cm. " +
          "From 2 s on, the push swings, and its peak stays below F. A real block stands.",
          "Three laws of friction see the same push: the set of this tool, and the laws of Dahl and LuGre, which many simulators use."],
        set: {}, sliders: ["base", "swing"],
        question: "Look at the curves after 2 s. Which block stands?",
        answer: "Only that of the set. LuGre's block creeps by about 1.2 mm in each second, Dahl's by 1.7 mm, under a force that never reaches the friction limit.",
      },
      {
        title: "Swing less",
        text: ["LuGre's law is a spring whose stretch saturates. Each swing of the push slips a little more forward than back. " +
          "So the creep depends on how far the push swings, not on whether it reaches the limit."],
        set: { swing: 0.05 }, sliders: ["base", "swing"], ghost: true,
        question: "Drag swing down to zero. Does LuGre's block ever stand?",
        answer: "Yes, without a swing it stands: a constant load only stretches its spring. A machine that vibrates is where it goes wrong.",
      },
      {
        title: "What the set does instead",
        text: ["The text says f in F*sgn(v): at rest, f may be any force up to F. The compiler makes a continuous equation of it, with an elastic stretch f.a and a " +
          "bound that is exact: below F nothing slips at all. The tab Equations shows both, side by side."],
        set: { swing: 0.144 }, sliders: ["base", "swing"],
        question: "The measure creep below is about 1e-17 m. Why not exactly zero?",
        answer: "It is the difference of two numbers of about 2 cm that agree in all 16 digits a computer keeps. That is rounding, and it does not grow with time.",
      },
    ],
  },
  {
    name: "ball", title: "A ball that bounces by its restitution", model: "stories/ball",
    steps: [
      {
        title: "Drop a ball",
        text: ["The floor is the set dio(y): no force above the floor, any push at the floor, never a pull. You choose the restitution e, the speed after an impact over that before it."],
        set: {}, sliders: ["e", "h"],
        question: "With e = 0.8, how high is the first bounce? Work it out before you read the curve.",
        answer: "h e² = 0.64 m. The two level lines are h e² and h e⁴. The measure bounce says how close the run comes.",
      },
      {
        title: "No event is searched for",
        text: ["Other tools stop at each impact, find its instant and start anew, which ends badly when impacts crowd. Here the contact is a stiff continuous law, and the method takes its steps straight through.",
          "The compiler chose the law so that the ball leaves with e times its speed, whatever speed it has."],
        set: { e: 0.5 }, sliders: ["e", "h"], ghost: true,
        question: "A rigid ball makes infinitely many bounces. When does it rest?",
        answer: "After t₀ (1 + e)/(1 − e) with t₀ = √(2h/g): at 1.35 s for e = 0.5 and h = 1 m. The measure rest is the last instant above 1 cm.",
      },
      {
        title: "On the Moon",
        text: ["Gravity is a parameter like any other. On the Moon it is 1.62 m/s²."],
        set: { g: 1.62, e: 0.5 }, sliders: ["g", "e"],
        question: "Are the bounces higher on the Moon?",
        answer: "No: the height depends on h and e only. They take longer, by √(9.81/1.62) = 2.5.",
      },
      {
        title: "Nearly elastic",
        text: ["Now e is 0.95. Watch the contact force in the second picture: it is a spike of a few milliseconds, and it is never negative."],
        set: { e: 0.95 }, sliders: ["e", "h"],
        question: "What would a negative contact force mean?",
        answer: "The floor would pull the ball, as glue does. A plain spring and damper does that; the check min(N) >= 0 below says that this contact does not.",
      },
    ],
  },
  {
    name: "stick-slip", title: "Stick-slip, and how K matters", model: "stories/stick-slip",
    steps: [
      {
        title: "A block on a belt",
        text: ["The belt carries the block along until the spring pulls with Fs = 3 N. Then the block slips back, for friction in motion is smaller, Fk = 2 N. A violin string does this, and a squealing brake."],
        set: {}, sliders: ["V", "Fs"],
        question: "Make the belt faster. What happens to the part of the time in which the block sticks?",
        answer: "It shrinks: the block sticks for 2 d/V, but slips for about half a swing of the spring, π√(M/k), whatever the belt does.",
      },
      {
        title: "The element has a stiffness",
        text: ["While the block sticks, the friction is a spring of stiffness K between block and belt, with a damper. K is a number of the simulation, not of the belt: " +
          "a rigid belt is the limit of large K, and large K asks for short steps. Here K is 5 kN/m, fifty times the spring."],
        set: { K: 5000 }, sliders: ["K", "V"], ghost: true,
        question: "The cycle still looks right. What does the check of the highest point say, and from which K on is it met?",
        answer: "The block swings out to 30.3 mm in place of 34.1 mm. From about 40 kN/m on the height is right to 1 mm. The limit of friction, max(abs(f)) <= Fs, holds for every K.",
      },
      {
        title: "Too soft: the stick-slip is gone",
        text: ["At K = 1 kN/m, ten times the spring, the block slips once and then swings on freely: the soft element never carries it as fast as the belt again. " +
          "The picture is smooth, and the numbers are right for this K. It is K that is wrong, and only the check against the rigid belt says so."],
        set: { K: 1000 }, sliders: ["K", "V"], ghost: true,
        question: "Drag K slowly up. Where does the stick-slip come back, and how do you know which K to take without knowing the answer?",
        answer: "It comes back at about 1.1 kN/m. Leave K out: the compiler then takes a K that the step bears, and the badge above the curves says whether another one changes anything. Or make K ten times as large, and see what changes.",
      },
    ],
  },
  {
    name: "robot-arm", title: "A robot arm that stands by friction", model: "stories/robot-arm",
    steps: [
      {
        title: "Switch the motors off",
        text: ["Two arms of two rods are let go in the same pose. The dry friction of their joints can bear F = 12 N m. Press play: the arm at the back stands, that in front sinks.",
          "The arm in front has the friction that many simulators use: smoothed, so that the force is a function of the speed."],
        set: {}, sliders: ["F", "load"],
        question: "The shoulder has to bear 8.1 N m. Why does the smoothed friction of 12 N m not hold it?",
        answer: "At rest it has no force at all. It bears 8.1 of 12 N m only while the joint turns at 8.1/12 of w0, so it turns for ever.",
      },
      {
        title: "Smooth it less",
        text: ["With a smaller w0 the arm in front sinks more slowly. That is what one does in practice: smaller and smaller w0, with shorter and shorter steps."],
        set: { w0: 0.03 }, sliders: ["w0", "F"], ghost: true,
        question: "How small must w0 be for the arm to stand?",
        answer: "No w0 makes it stand: half of w0 is half of the speed, at half the step. The limit is the set, and the arm at the back has that at a step of 0.25 ms.",
      },
      {
        title: "Give it a load",
        text: ["A load at the tip adds load × g × reach to the torque of the shoulder."],
        set: { load: 0.4 }, sliders: ["load", "F"],
        question: "From which load on does the arm at the back fall, too?",
        answer: "From a bit below 0.48 kg: 3.9 of the 12 N m are left, and the tip is 0.83 m out. Let go, the arm sags first, which costs some more. When it falls, it swings down to where its friction can hold it again.",
      },
    ],
  },
];
