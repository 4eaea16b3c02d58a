import type { Plugin } from 'vite';
import type { Console } from './consoles.ts';

/** Fills the blanks of `index.html`, the one page of both consoles: its title, the module that starts it. */
export function page({ title, entry, app }: Pick<Console, 'title' | 'entry' | 'app'>): Plugin {
  return {
    name: 'causeway:page',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) =>
        html.replaceAll('{{title}}', title).replaceAll('{{entry}}', entry).replaceAll('{{console}}', app),
    },
  };
}
