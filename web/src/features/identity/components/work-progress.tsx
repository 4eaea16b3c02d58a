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
    <div className="flex flex-col gap-1.5 text-13 text-muted" role="status">
      <span>{t('identity.work.label')}</span>
      <progress
        value={share}
        max={1}
        aria-label={t('identity.work.label')}
        className="h-1.5 w-full accent-(--color-accent)"
      />
    </div>
  );
}
