/* load_xml: loads libxml2 when the first robot is read. */
#include "urdf_private.h"

#ifdef DRY_WITH_XML
#include "base/base.h"

#define CALL(name) DRY_SYMBOL_TEXT(xml##name),
static const char *const symbols[] = {
#include "xml_calls.def"
    NULL};
#undef CALL

#ifdef DRY_FILE_XML
dry_urdf__xml_calls dry_urdf__xml;
#else
#define DRY_FILE_XML NULL
#define CALL(name) .name = &xml##name,
dry_urdf__xml_calls dry_urdf__xml = {
#include "xml_calls.def"
};
#undef CALL
#endif

static dry_library library = {.name = "libxml2",
                              .file = DRY_FILE_XML,
                              .package = DRY_PACKAGE_XML,
                              .instead = "write the robot as a model without urdf",
                              .symbols = symbols,
                              .calls = &dry_urdf__xml};

dry_status dry_urdf__load_xml(dry_error *error) { return dry_library_load(&library, error); }

#else
typedef int dry_urdf__no_library; /* a file needs something in it */
#endif
