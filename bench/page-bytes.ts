import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Kilobytes (brotli) before first paint, by the same program that `npm run check` holds the budgets with. */
export function printBytes(): void {
  if (!existsSync(join(root, 'web/dist/index.html'))) {
    console.log('bytes: the web app is not built; npm run setup builds it');
    return;
  }
  console.log('Kilobytes (brotli) before first paint:');
  spawnSync(process.execPath, [join(root, 'tools/check-bytes.ts')], { cwd: root, stdio: 'inherit' });
}
