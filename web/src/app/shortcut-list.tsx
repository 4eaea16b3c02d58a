import { useText } from '../lib/locale.tsx';
import { Dialog } from '../ui/dialog.tsx';

const shortcuts = [
  [['Ctrl', 'K'], 'app.shortcuts.palette'],
  [['/'], 'app.shortcuts.search'],
  [['↑', '↓'], 'app.shortcuts.rows'],
  [['A'], 'app.shortcuts.approve'],
  [['R'], 'app.shortcuts.reject'],
  [['Esc'], 'app.shortcuts.close'],
  [['?'], 'app.shortcuts.help'],
] as const;

/** What the keyboard can do. */
export function ShortcutList({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const t = useText();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('app.shortcuts.title')}>
      <dl className="m-0">
        {shortcuts.map(([keys, id]) => (
          <div key={id} className="flex items-center justify-between gap-4 border-b border-line py-2.5 last:border-b-0">
            <dt>{t(id)}</dt>
            <dd className="m-0 flex gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded-6 border border-line-strong bg-sunken px-1.5 font-mono text-12">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
