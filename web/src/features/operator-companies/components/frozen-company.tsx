import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';
import { useFreezes } from '../freeze-api.ts';

/** While the company is frozen: since when and why, on every part of its file. */
export function FrozenCompany({ companyId }: { companyId: string }) {
  const t = useText();
  const formats = useFormats();
  const freeze = useFreezes(companyId).data?.items.find(({ kind, endedAt }) => kind === 'company' && endedAt === null);
  if (!freeze) return null;
  return (
    <Banner
      kind="negative"
      action={
        <PlainLink href={`/app/companies/${companyId}?tab=freezing`} className="font-medium text-accent">
          {t('ops.freeze.view')}
        </PlainLink>
      }
    >
      {t('ops.freeze.company', { since: formats.dateTime(freeze.at), reason: freeze.text })}
    </Banner>
  );
}
