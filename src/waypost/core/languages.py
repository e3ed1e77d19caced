"""Checks hreflang values against the codes of languages, scripts and regions (ISO 639-1, ISO 15924, ISO 3166-1)."""

import re
from functools import lru_cache

_LANGUAGES = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki
kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no
nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te
tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_REGIONS = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
"""
_SCRIPTS = """
Adlm Afak Aghb Ahom Arab Aran Armi Armn Avst Bali Bamu Bass Batk Beng Berf Bhks Blis Bopo Brah Brai Bugi Buhd Cakm
Cans Cari Cham Cher Chis Chrs Cirt Copt Cpmn Cprt Cyrl Cyrs Deva Diak Dogr Dsrt Dupl Egyd Egyh Egyp Elba Elym Ethi
Gara Geok Geor Glag Gong Gonm Goth Gran Grek Gujr Gukh Guru Hanb Hang Hani Hano Hans Hant Hatr Hebr Hira Hluw Hmng
Hmnp Hntl Hrkt Hung Inds Ital Jamo Java Jpan Jurc Kali Kana Kawi Khar Khmr Khoj Kitl Kits Knda Kore Kpel Krai Kthi
Lana Laoo Latf Latg Latn Leke Lepc Limb Lina Linb Lisu Loma Lyci Lydi Mahj Maka Mand Mani Marc Maya Medf Mend Merc
Mero Mlym Modi Mong Moon Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa Nkdb Nkgb Nkoo Nshu Ogam Olck Onao Orkh Orya
Osge Osma Ougr Palm Pauc Pcun Pelm Perm Phag Phli Phlp Phlv Phnx Piqd Plrd Prti Psin Ranj Rjng Rohg Roro Runr Samr
Sara Sarb Saur Seal Sgnw Shaw Shrd Shui Sidd Sidt Sind Sinh Sogd Sogo Sora Soyo Sund Sunu Sylo Syrc Syre Syrj Syrn
Tagb Takr Tale Talu Taml Tang Tavt Tayo Telu Teng Tfng Tglg Thaa Thai Tibt Tirh Tnsa Todr Tols Toto Tutg Ugar Vaii
Visp Vith Wara Wcho Wole Xpeo Xsux Yezi Yiii Zanb Zinh Zmth Zsye Zsym Zxxx Zyyy Zzzz
"""
_HREFLANG = re.compile(r"([A-Za-z]{2,3})(?:-([A-Za-z]{4}))?(?:-([A-Za-z]{2}|\d{3}))?")
_COMMON_MISTAKES = {"UK": "GB", "EN": "GB", "EU": "", "EL": "GR", "LA": ""}
"""Wrong regions that are often written, and the right ones: the United Kingdom is GB, and a continent has no code."""


_MAX_HREFLANG = len("zho-Hant-419")
_NO_HREFLANG = "it must be a language, optionally followed by a script and a region"


def problem(value: str) -> str:
    """What is wrong with an hreflang's value, or `""` (Google, "Supported language/region codes").

    Languages of three letters and numeric regions are not checked, because search engines accept some of them.
    """
    return _problem(value) if len(value) <= _MAX_HREFLANG else _NO_HREFLANG


def unsupported(value: str) -> str:
    """Why search engines may ignore an hreflang without a problem, or `""`: Google names two registries, no more."""
    language, *others = value.split("-")
    if len(language) == 3:
        return f"search engines read languages of ISO 639-1, which have two letters, and not {language}"
    if region := next((each for each in others if each.isdecimal()), ""):
        return f"search engines read countries of ISO 3166-1, and not the region {region}"
    return ""


def region_problem(value: str) -> str:
    """What is wrong with a country's code, or `""`."""
    if value.upper() in _REGIONS.split():
        return ""
    right = _COMMON_MISTAKES.get(value.upper(), "")
    return f"ISO 3166-1 has no country {value}" + (f"; use {right}" if right else "")


@lru_cache(maxsize=1_024)
def _problem(value: str) -> str:
    if value.lower() == "x-default":
        return ""
    match = _HREFLANG.fullmatch(value)
    if match is None:
        return _NO_HREFLANG
    language, script, region = match.groups()
    if len(language) == 2 and language.lower() not in _LANGUAGES.split():
        return f"ISO 639-1 has no language {language}"
    if script and script.title() not in _SCRIPTS.split():
        return f"ISO 15924 has no script {script}"
    return region_problem(region) if region and not region.isdecimal() else ""


def is_two_letter_name(name: str) -> bool:
    """Whether the name of a folder or of a subdomain is a language of two letters: `de`, `pt-br` or `pt_BR`."""
    code = name.replace("_", "-")
    return len(code.partition("-")[0]) == 2 and not problem(code)


def normalize(value: str) -> str:
    """An hreflang in its usual spelling: `en`, `zh-Hant`, `pt-BR`, `x-default`."""
    parts = value.lower().split("-")
    if parts[0] == "x":
        return value.lower()
    return "-".join([parts[0], *(part.title() if len(part) == 4 else part.upper() for part in parts[1:])])
