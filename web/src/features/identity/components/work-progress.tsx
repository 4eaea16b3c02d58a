import { useText } from '../../../lib/locale.tsx';

interface Props {
  /** From 0 to 1; null while there is no work. */
  share: number | null;
}

/** How far the browser has come with its proof of work. Without the console's own bar, which this light page does not load. */
export function WorkProgress({ share }: Props) {
  const t = useText();
  if (share === null) return null;
  return (
    <div className="flex flex-col gap-1.5 text-13 text-muted">
      <span role="status">{t('identity.work.label')}</span>
      <div
        role="progressbar"
        aria-label={t('identity.work.label')}
        aria-valuenow={Math.round(share * 100)}
        className="h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  );
}
