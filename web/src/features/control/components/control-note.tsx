import type { Permission } from '@causeway/contract/permission.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { useControlMode } from '../api.ts';

/** Says before a form is saved that a change which widens a control does not take effect at once; nothing where it does. */
export function ControlNote({ permission }: { permission: Permission }) {
  const t = useText();
  const formats = useFormats();
  const { data } = useControlMode();
  const mode = data?.modes.find((each) => each.permission === permission);
  if (data === undefined || mode === undefined || mode.mode === 'applies') return null;
  const time = formats.dateTime(mode.effectiveAt ?? data.heldUntil ?? new Date().toISOString());
  return (
    <p className="m-0 rounded-10 bg-sunken px-4 py-3 text-13 text-muted">{t(`control.note.${mode.mode}`, { time })}</p>
  );
}
