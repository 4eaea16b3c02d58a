import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Locale, locales } from '@causeway/contract/locale.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Words } from './words.ts';

/** A file that the pages load, under a name that changes with its content. */
interface Asset {
  name: string;
  type: string;
  content: Buffer;
}

function assetOf(file: string, type: string): Asset {
  const content = readFileSync(join(import.meta.dirname, 'assets', file));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { name: file.replace('.', `.${hash}.`), type, content };
}

const style = assetOf('page.css', 'text/css; charset=utf-8');
const script = assetOf('page.js', 'text/javascript; charset=utf-8');

export const assets: ReadonlyMap<string, Asset> = new Map([style, script].map((asset) => [asset.name, asset]));
export const assetsPath = '/pay/assets';

const languageTags: Record<Locale, string> = { 'en-us': 'en-US', 'zh-hk': 'zh-HK', 'zh-cn': 'zh-CN' };
const languageNames: Record<Locale, string> = { 'en-us': 'English', 'zh-hk': '繁體中文', 'zh-cn': '简体中文' };

/** Seconds after which the page loads itself again where no script runs. */
const reloadSeconds = 30;

export interface Page {
  title: string;
  /** Above everything: who asks for the payment. */
  company: string;
  body: Html;
  foot: readonly string[];
  /** Whether it follows what happens, and how closely; absent: it does not change. */
  poll?: 'fast' | 'slow';
  /** The same page in another language. */
  inLanguage(locale: Locale): string;
}

/** A whole page: nothing inline, no cookies, no address of it in a search engine or in another site's logs. */
export function documentOf(words: Words, page: Page): string {
  const { locale, say } = words;
  const languages = locales.map((each) =>
    each === locale
      ? html`<span aria-current="true" lang="${languageTags[each]}">${languageNames[each]}</span>`
      : html`<a href="${page.inLanguage(each)}" lang="${languageTags[each]}" hreflang="${languageTags[each]}">${languageNames[each]}</a>`,
  );
  const { text } = html`<!doctype html>
<html lang="${languageTags[locale]}"${page.poll === undefined ? null : html` data-poll="${page.poll}"`}>
<head>
<meta charset="utf-8">
<title>${page.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
${page.poll === undefined ? null : html`<noscript><meta http-equiv="refresh" content="${reloadSeconds}"></noscript>`}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetsPath}/${style.name}">
<script type="module" src="${assetsPath}/${script.name}"></script>
</head>
<body>
<div class="page">
<header class="bar">
<p class="company">${page.company}</p>
<nav class="languages" aria-label="${say('language')}">${languages}</nav>
</header>
<main>${page.body}</main>
<footer>
<p id="offline" hidden>${say('offline')}</p>
${page.foot.map((line) => html`<p>${line}</p>`)}
</footer>
<p id="said" class="said" role="status"></p>
</div>
</body>
</html>
`;
  return text;
}
