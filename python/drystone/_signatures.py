"""Functions and numbers of the headers: printed by tools/bind-text.sh, not written by hand.

p: an address; s: a text that the library keeps; i, b, d, z: int, bool, double, size_t; v: nothing. First comes what
the function returns.
"""

VERSION = "0.1.0"

DRY_BIND_STATES = 0
DRY_BIND_OUTPUTS = 1
DRY_BIND_PARAMETERS = 2
DRY_BIND_INPUTS = 3
DRY_BIND_ELEMENTS = 4
DRY_BIND_MEASURES = 5
DRY_BIND_UNTIL = 0
DRY_BIND_STEP = 1
DRY_BIND_RECORD = 2
DRY_BIND_RTOL = 3
DRY_BIND_ATOL = 4
DRY_BIND_ADAPTIVE = 5
DRY_BIND_LARGEST_STEP = 6
DRY_BIND_EITHER = 0
DRY_BIND_BYTECODE = 1
DRY_BIND_NATIVE = 2
DRY_BIND_STEPS = 0
DRY_BIND_REJECTED = 1
DRY_BIND_RATES = 2
DRY_BIND_KINKS = 3
DRY_BIND_SECONDS = 4
DRY_BIND_END = 5
DRY_BIND_STOPPED = 6
DRY_BIND_IS_NATIVE = 7
DRY_BIND_FIT_HOLD_LAST = 0
DRY_BIND_FIT_HOLD_FROM = 1
DRY_BIND_FIT_HUBER = 2
DRY_BIND_FIT_STARTS = 3
DRY_BIND_FIT_SEED = 4
DRY_BIND_FIT_THREADS = 5
DRY_BIND_FIT_MOST_STEPS = 6
DRY_BIND_FIT_TOLERANCE = 7
DRY_BIND_FIT_WINDOWS = 8
DRY_BIND_FIT_WINDOW = 9
DRY_BIND_FIT_COST = 0
DRY_BIND_FIT_STEPS = 1
DRY_BIND_FIT_RUNS = 2
DRY_BIND_FIT_SETTLED = 3
DRY_BIND_FIT_CONDITION = 4
DRY_BIND_FIT_VALUE = 0
DRY_BIND_FIT_START = 1
DRY_BIND_FIT_LOW = 2
DRY_BIND_FIT_HIGH = 3
DRY_BIND_FIT_DEVIATION = 4
DRY_BIND_FIT_FROM = 5
DRY_BIND_FIT_TO = 6
DRY_BIND_FIT_RECORD = 7
DRY_BIND_FIT_AT_BOUND = 8
DRY_BIND_FIT_NO_EFFECT = 9
DRY_BIND_FIT_NAME = 0
DRY_BIND_FIT_UNIT = 1
DRY_BIND_FIT_FILE = 2
DRY_BIND_FIT_COLUMN = 3
DRY_BIND_FIT_RMS = 0
DRY_BIND_FIT_FRACTION = 1
DRY_BIND_FIT_HELD_ROWS = 2
DRY_BIND_FIT_HELD_RMS = 3
DRY_BIND_FIT_HELD_FRACTION = 4
DRY_BIND_FIT_T = 0
DRY_BIND_FIT_MEASURED = 1
DRY_BIND_FIT_MODEL = 2
DRY_OK = 0
DRY_BAD_ARGUMENT = 1
DRY_NO_MEMORY = 2
DRY_NOT_FINITE = 3
DRY_STEP_COLLAPSED = 4
DRY_TOO_MANY_STEPS = 5
DRY_SINGULAR = 6
DRY_IO = 7
DRY_BAD_FILE = 8
DRY_BAD_MODEL = 9
DRY_RUN_FAILED = 10
DRY_UNSUPPORTED = 11
DRY_STOPPED = 12
DRY_NOTE = 0
DRY_WARNING = 1
DRY_ERROR = 2

FUNCTIONS = {
    "dry_bind_batch_free": "vp",
    "dry_bind_batch_has_lanes": "bp",
    "dry_bind_batch_new": "ippiipp",
    "dry_bind_batch_par": "ipspp",
    "dry_bind_batch_read": "ippppp",
    "dry_bind_batch_reset": "ipppp",
    "dry_bind_batch_step": "ipdppppp",
    "dry_bind_column_name": "spi",
    "dry_bind_column_unit": "spi",
    "dry_bind_compile": "psszp",
    "dry_bind_count": "ipi",
    "dry_bind_error_column": "ip",
    "dry_bind_error_file": "sp",
    "dry_bind_error_free": "vp",
    "dry_bind_error_key": "sp",
    "dry_bind_error_line": "ip",
    "dry_bind_error_new": "p",
    "dry_bind_error_status": "ip",
    "dry_bind_error_text": "sp",
    "dry_bind_fit_correlation": "dpii",
    "dry_bind_fit_data": "ipsp",
    "dry_bind_fit_ended": "sp",
    "dry_bind_fit_fact": "dpi",
    "dry_bind_fit_free": "vp",
    "dry_bind_fit_name": "spi",
    "dry_bind_fit_new": "p",
    "dry_bind_fit_number": "dpii",
    "dry_bind_fit_output_number": "dpii",
    "dry_bind_fit_output_text": "spii",
    "dry_bind_fit_outputs": "ip",
    "dry_bind_fit_parameters": "ip",
    "dry_bind_fit_rows": "zpi",
    "dry_bind_fit_run": "ipppppp",
    "dry_bind_fit_set": "vpid",
    "dry_bind_fit_text": "ippp",
    "dry_bind_fit_unit": "spi",
    "dry_bind_fit_values": "ppii",
    "dry_bind_fit_vary": "ipsddbbp",
    "dry_bind_fit_warning": "spi",
    "dry_bind_is_own": "bpii",
    "dry_bind_latex": "ppb",
    "dry_bind_mathml": "ppb",
    "dry_bind_message_column": "ipi",
    "dry_bind_message_file": "spi",
    "dry_bind_message_kind": "ipi",
    "dry_bind_message_line": "ipi",
    "dry_bind_message_shown": "ppi",
    "dry_bind_message_text": "spi",
    "dry_bind_message_way_out": "spi",
    "dry_bind_message_word": "spi",
    "dry_bind_name": "spii",
    "dry_bind_native": "ppp",
    "dry_bind_option": "si",
    "dry_bind_option_is_yes": "bs",
    "dry_bind_par": "dpi",
    "dry_bind_phase": "si",
    "dry_bind_plan_file": "ipsssp",
    "dry_bind_plan_free": "vp",
    "dry_bind_plan_input": "ipsszppp",
    "dry_bind_plan_method": "ipsp",
    "dry_bind_plan_new": "p",
    "dry_bind_plan_option": "ipsdp",
    "dry_bind_plan_par": "ipssdp",
    "dry_bind_rates_breaks": "vpp",
    "dry_bind_rates_free": "vp",
    "dry_bind_rates_jacobian": "ipdppp",
    "dry_bind_rates_n_breaks": "ip",
    "dry_bind_rates_new": "ippp",
    "dry_bind_rates_output": "vpdpp",
    "dry_bind_rates_rate": "vpdpp",
    "dry_bind_rates_start": "vpp",
    "dry_bind_remark": "spi",
    "dry_bind_rows": "ipzdppppppp",
    "dry_bind_run_expected": "spi",
    "dry_bind_run_expected_line": "ipi",
    "dry_bind_run_expected_met": "bpi",
    "dry_bind_run_expected_target": "dpi",
    "dry_bind_run_expected_tolerance": "dpi",
    "dry_bind_run_expected_value": "dpi",
    "dry_bind_run_fact": "dpi",
    "dry_bind_run_free": "vp",
    "dry_bind_run_measure": "dpi",
    "dry_bind_run_new": "ppp",
    "dry_bind_run_page": "ppbp",
    "dry_bind_run_record": "pp",
    "dry_bind_run_remark": "spi",
    "dry_bind_run_report": "ipsp",
    "dry_bind_run_start": "ipippp",
    "dry_bind_run_stop": "sp",
    "dry_bind_run_svg": "ppbp",
    "dry_bind_run_trust_error": "dp",
    "dry_bind_run_trust_line": "spi",
    "dry_bind_run_trusted": "ip",
    "dry_bind_run_watch": "ipddppp",
    "dry_bind_run_word": "sp",
    "dry_bind_runs": "dpi",
    "dry_bind_runs_by": "sp",
    "dry_bind_step": "ippdppp",
    "dry_bind_stepper_new": "ipppp",
    "dry_bind_stepper_par": "ippsdp",
    "dry_bind_stepper_par_now": "dpps",
    "dry_bind_stepper_stop": "spp",
    "dry_bind_sweep_axes": "ip",
    "dry_bind_sweep_axis": "ipsp",
    "dry_bind_sweep_failed": "zp",
    "dry_bind_sweep_free": "vp",
    "dry_bind_sweep_length": "ipi",
    "dry_bind_sweep_measure": "ipsp",
    "dry_bind_sweep_native": "bp",
    "dry_bind_sweep_new": "p",
    "dry_bind_sweep_record": "pp",
    "dry_bind_sweep_run": "ipppiibppp",
    "dry_bind_sweep_untrusted": "zp",
    "dry_bind_sweep_values": "ipszpp",
    "dry_bind_text_free": "vp",
    "dry_bind_unit": "spii",
    "dry_bind_version": "s",
    "dry_model_expects": "ip",
    "dry_model_free": "vp",
    "dry_model_messages": "ip",
    "dry_model_ok": "bp",
    "dry_model_title": "sp",
    "dry_native_free": "vp",
    "dry_record_columns": "ip",
    "dry_record_rows": "zp",
    "dry_record_values": "ppi",
    "dry_record_write": "ipsp",
    "dry_status_text": "si",
    "dry_stepper_free": "vp",
    "dry_stepper_inputs": "pp",
    "dry_stepper_outputs": "ippp",
    "dry_stepper_phases": "ippp",
    "dry_stepper_reset": "ipdpp",
    "dry_stepper_restore": "ippzp",
    "dry_stepper_save": "ippzp",
    "dry_stepper_save_size": "zp",
    "dry_stepper_set_input": "ipidp",
    "dry_stepper_states": "pp",
    "dry_stepper_time": "dp",
}
