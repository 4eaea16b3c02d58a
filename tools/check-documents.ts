import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenCitations, headingsOf, indexOf, type Source } from './citations.ts';

/**
 * Holds that every heading of docs/DECISIONS.md, every ADR, every link and every file that code or a document names exists, and that
 * docs/adr/README.md lists every ADR. `--write` writes that list.
 */

const root = join(import.meta.dirname, '..');
const index = 'docs/adr/README.md';
const marker = '<!-- The list: node tools/check-documents.ts --write -->\n';

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const files = listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)));
const read = (file: string): Source => ({ file, text: readFileSync(join(root, file), 'utf8') });
const adrFiles = files.filter((file) => /^docs\/adr\/\d{4}-.+\.md$/.test(file)).sort();

const { text } = read(index);
const head = text.slice(0, text.indexOf(marker) + marker.length);
const wanted = `${head}${indexOf(adrFiles.map(read))}`;
if (process.argv.includes('--write')) writeFileSync(join(root, index), wanted);

const cited = {
  headings: headingsOf(read('docs/DECISIONS.md').text),
  pages: adrFiles.map((file) => file.slice('docs/adr/'.length)),
  exists: (path: string) => existsSync(join(root, decodeURIComponent(path))),
  endsFile: (path: string) => files.some((file) => `/${file}`.endsWith(`/${path}`)),
};
const breaches = files
  .filter((file) => /\.(ts|tsx|mjs|sql|md|css|yml|yaml)$/.test(file) && !/^tools\/citations(\.test)?\.ts$/.test(file))
  .flatMap((file) => brokenCitations(read(file), cited));
if (read(index).text !== wanted) {
  breaches.push(`${index} does not list the ADRs as they are: node tools/check-documents.ts --write`);
}
for (const breach of breaches) console.error(breach);
if (breaches.length > 0) process.exitCode = 1;
