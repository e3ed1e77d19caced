"""The words of HTML sitemaps in the languages of sites."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class ListTexts(NamedTuple):
    """The words of one language, as HTML: `title` and the like have places for values, and no text has quotes."""

    title: str
    span: str
    part: str
    all_pages: str
    previous: str
    next: str
    search_list: str
    search_all: str
    page: str
    pages: str
    shown: str
    reading: str
    unreadable: str


LIST_TEXTS: Mapping[str, ListTexts] = MappingProxyType(
    {
        "en": ListTexts(
            "Pages of {}",
            "{} to {}",
            "{}, from {}",
            "All pages",
            "Previous",
            "Next",
            "Search this list",
            "Search all pages",
            "page",
            "pages",
            "the first {} shown",
            "Reading the lists …",
            "The lists could not be read.",
        ),
        "da": ListTexts(
            "Sider på {}",
            "{} til {}",
            "{}, fra {}",
            "Alle sider",
            "Forrige",
            "Næste",
            "Søg i denne liste",
            "Søg i alle sider",
            "side",
            "sider",
            "de første {} vises",
            "Læser listerne …",
            "Listerne kunne ikke læses.",
        ),
        "de": ListTexts(
            "Seiten von {}",
            "{} bis {}",
            "{}, ab {}",
            "Alle Seiten",
            "Zurück",
            "Weiter",
            "Diese Liste durchsuchen",
            "Alle Seiten durchsuchen",
            "Seite",
            "Seiten",
            "die ersten {} sind zu sehen",
            "Die Listen werden gelesen …",
            "Die Listen konnten nicht gelesen werden.",
        ),
        "es": ListTexts(
            "Páginas de {}",
            "De {} a {}",
            "{}, desde {}",
            "Todas las páginas",
            "Anterior",
            "Siguiente",
            "Buscar en esta lista",
            "Buscar en todas las páginas",
            "página",
            "páginas",
            "se muestran las primeras {}",
            "Leyendo las listas …",
            "No se pudieron leer las listas.",
        ),
        "fr": ListTexts(
            "Pages de {}",
            "De {} à {}",
            "{}, à partir de {}",
            "Toutes les pages",
            "Précédent",
            "Suivant",
            "Rechercher dans cette liste",
            "Rechercher dans toutes les pages",
            "page",
            "pages",
            "les {} premières sont affichées",
            "Lecture des listes …",
            "Impossible de lire les listes.",
        ),
        "it": ListTexts(
            "Pagine di {}",
            "Da {} a {}",
            "{}, da {}",
            "Tutte le pagine",
            "Precedente",
            "Successiva",
            "Cerca in questo elenco",
            "Cerca in tutte le pagine",
            "pagina",
            "pagine",
            "le prime {} sono mostrate",
            "Lettura degli elenchi …",
            "Impossibile leggere gli elenchi.",
        ),
        "ja": ListTexts(
            "{} のページ一覧",
            "{} ～ {}",
            "{}（{} から）",
            "すべてのページ",
            "前へ",
            "次へ",
            "この一覧を検索",
            "すべてのページを検索",
            "ページ",
            "ページ",
            "最初の {} 件を表示",
            "一覧を読み込んでいます …",
            "一覧を読み込めませんでした。",
        ),
        "nl": ListTexts(
            "Pagina’s van {}",
            "{} tot en met {}",
            "{}, vanaf {}",
            "Alle pagina’s",
            "Vorige",
            "Volgende",
            "Deze lijst doorzoeken",
            "Alle pagina’s doorzoeken",
            "pagina",
            "pagina’s",
            "de eerste {} worden getoond",
            "De lijsten worden gelezen …",
            "De lijsten konden niet worden gelezen.",
        ),
        "pt": ListTexts(
            "Páginas de {}",
            "De {} a {}",
            "{}, a partir de {}",
            "Todas as páginas",
            "Anterior",
            "Próxima",
            "Pesquisar nesta lista",
            "Pesquisar em todas as páginas",
            "página",
            "páginas",
            "são mostradas as primeiras {}",
            "A ler as listas …",
            "Não foi possível ler as listas.",
        ),
        "sv": ListTexts(
            "Sidor på {}",
            "{} till {}",
            "{}, från {}",
            "Alla sidor",
            "Föregående",
            "Nästa",
            "Sök i den här listan",
            "Sök bland alla sidor",
            "sida",
            "sidor",
            "de första {} visas",
            "Listorna läses …",
            "Listorna kunde inte läsas.",
        ),
        "zh": ListTexts(
            "{} 的页面",
            "{} 至 {}",
            "{}（从 {} 起）",
            "所有页面",
            "上一页",
            "下一页",
            "搜索此列表",
            "搜索所有页面",
            "页",
            "页",
            "显示前 {} 个",
            "正在读取列表 …",
            "无法读取列表。",
        ),
    }
)
"""By the code of the language (ISO 639-1)."""
