import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Chain, Treasury } from '../api.ts';

type Signer = Treasury['signer'];

/** The signer and its keys: whether it answers, whether its journal agrees, when it last signed. No secret is shown anywhere. */
export function SignerCard({ signer, chains }: { signer: Signer; chains: readonly Chain[] }) {
  const t = useText();
  const { agrees, comparedAt, lastSignedAt } = signer;
  return (
    <Card title={t('ops.signer.title')}>
      <DescriptionList
        facts={[
          { term: t('ops.signer.reachable'), value: <Reach signer={signer} /> },
          {
            term: t('ops.signer.journal'),
            value:
              agrees === null ? (
                t('ops.notReported')
              ) : (
                <StatusDot
                  tone={agrees ? 'positive' : 'negative'}
                  detail={
                    <>
                      {signer.finding} {comparedAt !== null && <Time at={comparedAt} />}
                    </>
                  }
                >
                  {t(agrees ? 'ops.signer.agrees' : 'ops.signer.differs')}
                </StatusDot>
              ),
          },
          { term: t('ops.signer.entries'), value: signer.entries },
          {
            term: t('ops.signer.lastSigned'),
            value: lastSignedAt === null ? t('ops.signer.never') : <Time at={lastSignedAt} />,
          },
          ...signer.addresses.map(({ chainId, address, agrees: isSame }) => ({
            term: t('ops.signer.tank', { chain: chains.find(({ id }) => id === chainId)?.name ?? chainId }),
            value: (
              <Address
                value={address}
                what={t('ops.field.address')}
                {...(isSame === false && { warning: t('ops.signer.otherTank') })}
              />
            ),
          })),
          ...signer.auditKeys.map((key) => ({
            term: t('ops.signer.auditKey'),
            value: (
              <span className="inline-flex max-w-full items-center gap-1">
                <span className="font-mono text-13 break-all">{key}</span>
                <CopyButton text={key} what={t('ops.signer.auditKey')} />
              </span>
            ),
          })),
        ]}
      />
    </Card>
  );
}

function Reach({ signer: { reachable, since, problem } }: { signer: Signer }) {
  const t = useText();
  if (reachable === null) return <>{t('ops.notReported')}</>;
  return (
    <StatusDot
      tone={reachable ? 'positive' : 'negative'}
      detail={
        <>
          {problem} {since !== null && <Time at={since} />}
        </>
      }
    >
      {t(reachable ? 'ops.signer.answers' : 'ops.signer.silent')}
    </StatusDot>
  );
}
