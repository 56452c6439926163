;;; drystone-words.el --- the words of Drystone's language  -*- lexical-binding: t; -*-

;; Printed by tools/editor-words.sh, not written by hand.

;;; Code:

(defconst drystone-statements
  (list "function" "connect" "measure" "expect" "model" "param" "state" "init"
        "part" "plot" "run")
  "Words that begin a statement and cannot be names.")

(defconst drystone-late-statements
  (list "include" "output" "sample" "steady" "input" "table" "free" "stop")
  "Words that begin a statement and may be names.")

(defconst drystone-joining
  (list "against" "else" "from" "then" "with" "and" "for" "not" "if" "in" "or" "to")
  "Other words of the grammar that cannot be names.")

(defconst drystone-late-joining
  (list "columns" "beside" "column" "normal" "within" "every" "shade" "start"
        "axes" "time" "when" "log" "own" "as" "at")
  "Other words of the grammar that may be names.")

(defconst drystone-constants
  (list "world" "inf" "pi" "t")
  "Constants.")

(defconst drystone-functions
  (list "transpose" "integral" "quatrate" "rotate" "atan2" "count" "cross" "delay"
        "final" "first" "floor" "hypot" "log10" "noise" "round" "solve"
        "acos" "asin" "atan" "cbrt" "ceil" "cosh" "last" "mean" "norm"
        "sign" "sinh" "sqrt" "tanh" "abs" "cos" "dot" "erf" "exp" "log"
        "max" "min" "mod" "pos" "rms" "sat" "sin" "sum" "tan" "at")
  "Functions.")

(defconst drystone-sets
  (list "backlash" "dio" "sgn")
  "Sets.")

(defconst drystone-laws
  (list "lankarani_nikravesh" "frictional_contact" "kelvin_voigt_cut"
        "kikuuwe_fujimoto" "elastoplastic" "hunt_crossley" "marhefka_orin"
        "stribeck_slip" "kelvin_voigt" "zhang_sharf" "gms_smooth"
        "multistate" "compliant" "ellipsoid" "smoothing" "bouc_wen"
        "elliptic" "gonthier" "stribeck" "contact" "coulomb" "karnopp"
        "viscous" "flores" "leuven" "brush" "dwell" "lugre" "patch" "dahl"
        "play" "gms")
  "Laws of friction and contact.")

(defconst drystone-parts
  (list "rotary_lankarani_nikravesh" "rotary_kelvin_voigt_cut"
        "rotary_kikuuwe_fujimoto" "rotary_elastoplastic"
        "rotary_hunt_crossley" "rotary_marhefka_orin" "rotary_stribeck_slip"
        "lankarani_nikravesh" "rotary_kelvin_voigt" "frictional_contact"
        "rotary_zhang_sharf" "rotary_gms_smooth" "rotary_multistate"
        "rotary_unilateral" "kelvin_voigt_cut" "kikuuwe_fujimoto"
        "rotary_compliant" "rotary_ellipsoid" "rotary_smoothing"
        "rotary_backlash" "rotary_bouc_wen" "rotary_elliptic"
        "rotary_gonthier" "rotary_stribeck" "rotary_coulomb"
        "rotary_karnopp" "rotary_viscous" "elastoplastic" "hunt_crossley"
        "marhefka_orin" "rotary_damper" "rotary_flores" "rotary_leuven"
        "rotary_motion" "rotary_spring" "stribeck_slip" "kelvin_voigt"
        "moving_frame" "rotary_brush" "rotary_dwell" "rotary_lugre"
        "rotary_motor" "rotary_patch" "rotary_dahl" "rotary_stop"
        "zhang_sharf" "ball_joint" "gms_smooth" "multistate" "point_mass"
        "rigid_body" "rotary_gms" "unilateral" "compliant" "ellipsoid"
        "smoothing" "backlash" "bouc_wen" "cylinder" "elliptic" "gonthier"
        "stribeck" "capsule" "contact" "coulomb" "gravity" "karnopp"
        "viscous" "damper" "flores" "leuven" "motion" "slider" "sphere"
        "spring" "brush" "cloud" "dwell" "hinge" "lugre" "motor" "patch"
        "plane" "rotor" "dahl" "stop" "urdf" "weld" "arm" "box" "gms")
  "Kinds of parts.")

(defconst drystone-methods
  (list "split-symmetric" "semi-implicit" "rigid-routh" "rk4-tau" "dop853" "dopri5"
        "rodas4" "cvode" "euler" "rigid" "split" "heun" "rk4")
  "Methods of integration.")

(defconst drystone-keys
  (list "restitution" "max_steps" "duration" "max_step" "beside" "method" "record"
        "alpha" "depth" "marks" "speed" "title" "until" "atol" "beta" "rtol"
        "step" "law" "log" "B" "K" "P" "Q" "x" "y")
  "Keys of runs, plots and sets.")

(defconst drystone-units
  (list "bar" "deg" "lbf" "min" "ohm" "rad" "rev" "rpm" "Hz" "Pa" "ft" "in" "lb"
        "Ω" "%" "A" "C" "H" "J" "K" "N" "V" "W" "g" "h" "m" "s" "t")
  "Units.")

(provide 'drystone-words)
;;; drystone-words.el ends here
