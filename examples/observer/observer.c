/* observer: a controller at 1 kHz takes the friction of a slide from its measured velocity, and
 * pushes against it.
 *
 *     drystone export examples/observer/observer.dry --float -o observer --prefix observer
 *     drystone export examples/observer/slide.dry -o slide --prefix slide
 *     cc -Iobserver -Islide examples/observer/observer.c observer/observer.c slide/slide.c -lm
 *
 * The slide stands for the machine. It follows r = A sin(w t) by u = Kp (r - x) + Kd (r' - v) + M
 * r'' + g f, where f is the friction that the observer has found, and g is 0 or 1. Without it the
 * error is near Fc/Kp = 0.25 mm. */
#include "observer.h"
#include "slide.h"
#include <math.h>
#include <stdio.h>

enum { U, X, V }; /* slide_state_names */
static const double A = 0.01, w = 3.14159265358979, Kp = 2e4, Kd = 300.0, M = 2.0, T = 1e-3;

/* The rms of r - x from 1 s to 4 s, m; negative if a step fails. */
static double error(double g) {
    observer o;
    slide s;
    double squares = 0.0;
    int wrong = observer_init(&o, 0) || slide_init(&s, 0);
    const int at = slide_input_find("u"), measured = observer_input_find("v");
    for (int k = 0; k < 4000 && !wrong; k++) {
        const double r = A * sin(w * T * k), r_dot = w * A * cos(w * T * k);
        observer_real f;
        wrong = observer_set_input(&o, measured, (float)s.x[V]) || observer_step(&o, 1e-3f);
        observer_output(&o, &f);
        const double u = Kp * (r - s.x[X]) + Kd * (r_dot - s.x[V]) - M * w * w * r + g * (double)f;
        wrong = wrong || slide_set_input(&s, at, u);
        for (int i = 0; i < 20 && !wrong; i++) wrong = slide_step(&s, 50e-6);
        if (k >= 1000) squares += (r - s.x[X]) * (r - s.x[X]);
    }
    return wrong ? -1.0 : sqrt(squares / 3000.0);
}

int main(void) {
    const double without = error(0.0), with = error(1.0);
    printf("error without: %.3f um\nerror with: %.3f um\n", 1e6 * without, 1e6 * with);
    return without < 0.0 || with < 0.0;
}
