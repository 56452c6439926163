/* inclusion: pieces of MathML for the inclusions in the rows of laws (dry_law_inclusion). Every
 * letter of a law belongs to its force f, so f is its index. */
#ifndef DRY_LAW_INCLUSION_H
#define DRY_LAW_INCLUSION_H

#define DRY_LAW__LETTER(letter) "<mi>" letter "</mi>"
#define DRY_LAW__DOTTED(letter) "<mover><mi>" letter "</mi><mo mathsize='1.5em'>˙</mo></mover>"
#define DRY_LAW__OF(letter) "<msub>" letter "<mrow><f></mrow></msub>"
#define DRY_LAW__OF_ELEMENT(letter) "<msub>" letter "<mrow><f><mo>,</mo><i></mrow></msub>"
#define DRY_LAW__SIGN(sign) "<mo>" sign "</mo>"
#define DRY_LAW__IS(sign) "</mtd><mtd><mo>" sign "</mo></mtd><mtd>"
#define DRY_LAW__NEXT "</mtd></mtr>\n<mtr><mtd>"
#define DRY_LAW__IN(inner) "<mrow><mo>(</mo>" inner "<mo>)</mo></mrow>"
#define DRY_LAW__THIN "<mspace width='0.17em'/>"
#define DRY_LAW__APPLIED(inner) "<mo>&#x2061;</mo>" DRY_LAW__IN(inner)
#define DRY_LAW__SGN(inner) DRY_LAW__THIN "<mi>sgn</mi>" DRY_LAW__APPLIED(inner)
#define DRY_LAW__DIO(inner) DRY_LAW__THIN "<mi>dio</mi>" DRY_LAW__APPLIED(inner)
#define DRY_LAW__EXP(inner) DRY_LAW__THIN "<mi>exp</mi>" DRY_LAW__APPLIED(inner)
#define DRY_LAW__SIZE(inner) "<mrow><mo>|</mo>" inner "<mo>|</mo></mrow>"

#endif
