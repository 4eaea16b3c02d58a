import type { getAuditEvent } from '@causeway/contract/audit.ts';
import type { Output } from '@causeway/contract/call.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';

type Event = Output<typeof getAuditEvent>;

/** An event's place in the chain, and the signature that covers it. */
export function SealFacts({ event: { seal, checkpoint } }: { event: Event }) {
  const t = useText();
  const formats = useFormats();
  if (seal === null) return <Banner kind="notice">{t('audit.seal.pendingText')}</Banner>;
  const hash = (value: string, what: string) => <Address value={value} what={what} />;
  return (
    <DescriptionList
      facts={[
        { term: t('audit.seal.seq'), value: formats.count(seal.seq) },
        { term: t('audit.seal.at'), value: <Time at={seal.sealedAt} /> },
        { term: t('audit.seal.hash'), value: hash(seal.hash, t('audit.seal.hash')) },
        { term: t('audit.seal.previous'), value: hash(seal.previousHash, t('audit.seal.previous')) },
        ...(checkpoint === null
          ? [{ term: t('audit.checkpoint'), value: t('audit.checkpoint.pending') }]
          : [
              { term: t('audit.checkpoint'), value: t('audit.checkpoint.upTo', { seq: checkpoint.seq }) },
              { term: t('audit.checkpoint.at'), value: <Time at={checkpoint.at} /> },
              {
                term: t('audit.checkpoint.signature'),
                value: hash(checkpoint.signature, t('audit.checkpoint.signature')),
              },
              { term: t('audit.checkpoint.key'), value: <code className="text-13">{checkpoint.keyId}</code> },
            ]),
      ]}
    />
  );
}
