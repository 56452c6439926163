/* The names of the schemes. */
#include <drystone/rigid.h>
#include <string.h>

bool dry_rigid_scheme_find(const char *name, dry_rigid_scheme *scheme) {
    static const char *const names[] = {[DRY_RIGID_PROX] = "rigid",
                                        [DRY_RIGID_SPLIT] = "split",
                                        [DRY_RIGID_SPLIT_SYMMETRIC] = "split-symmetric"};
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            *scheme = (dry_rigid_scheme)i;
            return true;
        }
    return false;
}
