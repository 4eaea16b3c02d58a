/** What code and documents cite: headings of docs/DECISIONS.md, pages of docs/adr, files linked from Markdown. */

export interface Source {
  /** Path from the root of the clone. */
  file: string;
  text: string;
}

export interface Cited {
  /** Headings of docs/DECISIONS.md. */
  headings: ReadonlySet<string>;
  /** Files of docs/adr, such as `0001-typescript-without-a-build.md`. */
  pages: readonly string[];
  /** Whether a path from the root of the clone exists. */
  exists(path: string): boolean;
  /** Whether the path of a file ends so, as in `transfers/domain.ts`. */
  endsFile(path: string): boolean;
}

const quoted = '"[^"\\n]+"';
const decisionPattern = new RegExp(`\\bdecisions, (${quoted}(?:(?:,| and) ${quoted})*)`, 'gi');
const pagePattern = /\badr\/(\d{4})((?:-[a-z0-9]+)+\.md)?/g;
const numberPattern = /\bADRs? (\d{1,4})\b/g;
const linkPattern = /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g;
/** A file named in a document, at least with its folder. */
const filePattern = /`((?:[a-z][\w.-]*\/)+[\w.-]+\.(?:tsx?|mjs|sql))`/g;
/** Product rules are in docs/DECISIONS.md; other specifications (PNG, UTS) are named with their own name. */
const specificationPattern = /(?<!PNG )\bspecification, sections?\b/i;

export function headingsOf(markdown: string): Set<string> {
  return new Set([...markdown.matchAll(/^#{2,} (.+)$/gm)].map((match) => match[1] ?? ''));
}

/** What a source cites that does not exist. */
export function brokenCitations({ file, text }: Source, { headings, pages, exists, endsFile }: Cited): string[] {
  const numbers = new Set(pages.map((page) => page.slice(0, 4)));
  const broken: string[] = [];
  for (const [, list = ''] of text.matchAll(decisionPattern)) {
    for (const [name] of list.matchAll(new RegExp(quoted, 'g'))) {
      if (!headings.has(name.slice(1, -1))) broken.push(`docs/DECISIONS.md has no heading ${name}`);
    }
  }
  for (const [, number = '', slug] of text.matchAll(pagePattern)) {
    const isThere = slug === undefined ? numbers.has(number) : pages.includes(`${number}${slug}`);
    if (!isThere) broken.push(`docs/adr has no ${number}${slug ?? ''}`);
  }
  for (const [, number = ''] of text.matchAll(numberPattern)) {
    if (!numbers.has(number.padStart(4, '0'))) broken.push(`docs/adr has no ADR ${number}`);
  }
  // A migration that has run never changes, its comments included.
  if (!file.startsWith('server/migrations/') && specificationPattern.test(text)) {
    broken.push('cites a specification: cite a heading of docs/DECISIONS.md');
  }
  if (file.endsWith('.md')) {
    // A decision record may name files that have gone since.
    for (const [, path = ''] of file.startsWith('docs/adr/') ? [] : text.matchAll(filePattern)) {
      if (!endsFile(path)) broken.push(`names ${path}, which does not exist`);
    }
    for (const [, path = ''] of text.matchAll(linkPattern)) {
      const folder = file.split('/').slice(0, -1);
      const target = new URL(path, `file:///${folder.length > 0 ? `${folder.join('/')}/` : ''}`).pathname.slice(1);
      if (!exists(target)) broken.push(`links to ${path}, which does not exist`);
    }
  }
  return broken.map((problem) => `${file}: ${problem}`);
}

/** The list of docs/adr/README.md. @throws Error when a page's title does not begin with its number */
export function indexOf(pages: readonly Source[]): string {
  const lines = pages.map(({ file, text }) => {
    const name = file.split('/').at(-1) ?? '';
    const number = Number(name.slice(0, 4));
    const title = /^# (\d+)\. (.+)$/m.exec(text);
    if (Number(title?.[1]) !== number) throw new Error(`${file}: the title begins with "# ${number}. "`);
    return `- [${number}. ${title?.[2]}](${name})`;
  });
  return `${lines.join('\n')}\n`;
}
