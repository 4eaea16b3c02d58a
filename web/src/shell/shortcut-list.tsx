import { useText } from '../lib/locale.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Keys that are pressed together or for one another, and the text id of what they do. */
export type Shortcut = readonly [keys: readonly string[], text: string];

const first: readonly Shortcut[] = [
  [['Ctrl', 'K'], 'app.shortcuts.palette'],
  [['/'], 'app.shortcuts.search'],
  [['↑', '↓'], 'app.shortcuts.rows'],
];
const last: readonly Shortcut[] = [
  [['Esc'], 'app.shortcuts.close'],
  [['?'], 'app.shortcuts.help'],
];

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What this console has beside what both have. */
  keys: readonly Shortcut[];
}

/** What the keyboard can do. */
export function ShortcutList({ open, onOpenChange, keys }: Props) {
  const t = useText();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('app.shortcuts.title')}>
      <dl className="m-0">
        {[...first, ...keys, ...last].map(([pressed, id]) => (
          <div key={id} className="flex items-center justify-between gap-4 border-b border-line py-2.5 last:border-b-0">
            <dt>{t(id)}</dt>
            <dd className="m-0 flex gap-1">
              {pressed.map((key) => (
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
