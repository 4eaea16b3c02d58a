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
  if (seal === null) return <Banner kind="notice">{t('auditLog.seal.pendingText')}</Banner>;
  const hash = (value: string, what: string) => <Address value={value} what={what} />;
  return (
    <DescriptionList
      facts={[
        { term: t('auditLog.seal.seq'), value: formats.count(seal.seq) },
        { term: t('auditLog.seal.at'), value: <Time at={seal.sealedAt} /> },
        { term: t('auditLog.seal.hash'), value: hash(seal.hash, t('auditLog.seal.hash')) },
        { term: t('auditLog.seal.previous'), value: hash(seal.previousHash, t('auditLog.seal.previous')) },
        ...(checkpoint === null
          ? [{ term: t('auditLog.checkpoint'), value: t('auditLog.checkpoint.pending') }]
          : [
              { term: t('auditLog.checkpoint'), value: t('auditLog.checkpoint.upTo', { seq: checkpoint.seq }) },
              { term: t('auditLog.checkpoint.at'), value: <Time at={checkpoint.at} /> },
              {
                term: t('auditLog.checkpoint.signature'),
                value: hash(checkpoint.signature, t('auditLog.checkpoint.signature')),
              },
              { term: t('auditLog.checkpoint.key'), value: <code className="text-13">{checkpoint.keyId}</code> },
            ]),
      ]}
    />
  );
}
