import type { Plugin } from 'vite';
import type { Console } from './consoles.ts';

/** Fails the build of a console that would contain a module of the other one, with the modules' names. */
export function apart({ title, foreign }: Pick<Console, 'title' | 'foreign'>): Plugin {
  return {
    name: 'causeway:apart',
    apply: 'build',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const strangers = foreignAmong(modules, foreign);
      if (strangers.length > 0)
        this.error(`${title} would contain modules of the other console: ${strangers.join(', ')}`);
    },
  };
}

/** The modules that `foreign` names; those of packages belong to both. */
export function foreignAmong(modules: readonly string[], foreign: RegExp): string[] {
  return modules.filter((id) => !id.includes('/node_modules/') && foreign.test(id));
}
