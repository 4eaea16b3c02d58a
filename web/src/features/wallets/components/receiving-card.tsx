import type { Output } from '@causeway/contract/call.ts';
import type { getAddressV2 } from '@causeway/contract/wallets.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { copyText } from '../../../ui/copy-button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { Banner, EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';

type Receiving = Output<typeof getAddressV2>;

interface Props {
  /** A coin and a chain are chosen. */
  chosen: boolean;
  /** The operator has switched deposits off for a time: no address is shown. */
  paused: boolean;
  receiving: Receiving | undefined;
  /** Another address comes after each deposit. */
  fresh: boolean;
  /** The quantity that the QR code carries; empty when none. */
  amount: string;
  error: unknown;
  onRetry: () => void;
}

/** Where to send to: the address in full, its QR code, and what must be known before sending. */
export function ReceivingCard({ chosen, paused, receiving, fresh, amount, error, onRetry }: Props) {
  const t = useText();
  if (!chosen) {
    return (
      <Card>
        <EmptyState icon="collect" title={t('wallets.recharge.waiting')} text={t('wallets.recharge.waitingText')} />
      </Card>
    );
  }
  if (paused) {
    return (
      <Card>
        <EmptyState
          icon="warning"
          title={t('wallets.paused.depositsTitle')}
          text={t('wallets.paused.depositsText.chain')}
        />
      </Card>
    );
  }
  if (receiving === undefined && error !== null) {
    return (
      <Card>
        <ErrorState error={error} onRetry={onRetry} />
      </Card>
    );
  }
  return (
    <Card>
      <Loading loading={receiving === undefined} skeleton={<ReceivingSkeleton />}>
        {receiving && <ReceivingFacts receiving={receiving} fresh={fresh} amount={amount} />}
      </Loading>
    </Card>
  );
}

function ReceivingFacts({ receiving, fresh, amount }: { receiving: Receiving; fresh: boolean; amount: string }) {
  const t = useText();
  const formats = useFormats();
  const { coin, chainName, address } = receiving;
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col items-center gap-5 sm:flex-row sm:items-start">
        <div className="flex shrink-0 flex-col items-center gap-2">
          <QrCode text={receiving.uri} />
          <span className="max-w-50 text-center text-12 text-faint">
            {amount === ''
              ? t('wallets.recharge.qrHint')
              : t('wallets.recharge.qrHintAmount', { amount: amountLine(amount), coin })}
          </span>
        </div>
        <div className="flex min-w-0 flex-1 flex-col gap-3">
          <span className="text-13 text-faint">{t('wallets.recharge.addressTitle', { coin, chain: chainName })}</span>
          <WholeAddress address={address} />
          <div>
            <Button icon="copy" kind="primary" onClick={() => void copyText(address)}>
              {t('wallets.recharge.copyAddress')}
            </Button>
          </div>
          <DescriptionList
            facts={[
              {
                term: t('wallets.recharge.minimum'),
                value: amountLine(receiving.minimum, coin),
              },
              {
                term: t('wallets.recharge.confirmations'),
                value: t('wallets.recharge.confirmationsValue', { count: receiving.confirmations }),
              },
              {
                term: t('wallets.recharge.arrival'),
                value: t('wallets.recharge.arrivesIn', { duration: formats.duration(receiving.arrivalSeconds) }),
              },
            ]}
          />
        </div>
      </div>
      {fresh && <Banner kind="notice">{t('wallets.recharge.fresh')}</Banner>}
      <Banner kind="pending">{t('wallets.recharge.only', { coin, chain: chainName })}</Banner>
    </div>
  );
}

/** The address in groups of six, as it is compared by eye; copied and read without the gaps. */
function WholeAddress({ address }: { address: string }) {
  const groups = address.match(/.{1,6}/g) ?? [];
  return (
    <p className="m-0 rounded-6 bg-sunken px-3 py-2.5 font-mono text-14 break-all" data-address={address}>
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups of one address have no other identity
        <span key={index} className={`whitespace-nowrap ${index % 2 === 0 ? 'font-semibold' : 'text-muted'}`}>
          {group}
        </span>
      ))}
    </p>
  );
}

function ReceivingSkeleton() {
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col items-center gap-5 sm:flex-row sm:items-start">
        <Skeleton width="w-50" height="h-50" />
        <div className="flex w-full flex-1 flex-col gap-3">
          <Skeleton width="w-48" />
          <Skeleton height="h-16" />
          <Skeleton width="w-32" height="h-9" />
          <Skeleton height="h-20" />
        </div>
      </div>
      <Skeleton height="h-14" />
    </div>
  );
}
