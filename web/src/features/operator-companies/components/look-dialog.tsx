import { beginLook } from 'virtual:calls/operator-look';
import { lookMinutes } from '@causeway/contract/operator-look-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { useMutationCall } from '../../../lib/queries.ts';
import { ReasonDialog } from '../../operator/index.ts';

/** Asks for the reason of a look, and opens it. */
export function LookDialog({ companyId, name, onClose }: { companyId: string; name: string; onClose: () => void }) {
  const t = useText();
  const begin = useMutationCall(beginLook);
  return (
    <ReasonDialog
      title={t('ops.look.ask', { name })}
      text={t('ops.look.text', { minutes: lookMinutes })}
      submitText={t('ops.look.open')}
      facts={[]}
      onSubmit={async ({ reason }) => {
        const { url } = await begin.mutateAsync({ params: { id: companyId }, body: { reason } });
        // Where the browser opens no tab of its own, it goes there in this one.
        if (window.open(url, '_blank') === null) window.location.assign(url);
      }}
      onClose={onClose}
    />
  );
}
