import type { CardPayment } from '@causeway/contract/cards-payments.ts';
import { useMemo, useState } from 'react';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { downloadReceipts } from '../api.ts';
import { CardTabs } from '../components/card-tabs.tsx';
import { PaymentDialog } from '../components/payment-dialog.tsx';
import { PeriodDialog } from '../components/period-dialog.tsx';
import { ReceiptForm } from '../components/receipt-form.tsx';
import { MissingLinks } from '../components/receipts-missing.tsx';
import { paymentList } from '../lists/payment-list.tsx';

/** What cards paid, what was declined and why, and the receipts of it. */
export function Page() {
  const t = useText();
  const read = useList(paymentList);
  const mayExport = usePermission('transaction.export') ?? false;
  const [opened, setOpened] = useState<CardPayment | null>(null);
  const [asking, setAsking] = useState<'receipt' | 'export' | null>(null);
  const tools = useMemo(() => ({ open: setOpened }), []);
  const close = () => setAsking(null);
  return (
    <Frame intro={t('cards.payments.intro')}>
      <CardTabs />
      <MissingLinks />
      <ListView
        list={paymentList}
        read={read}
        context={tools}
        actions={
          <>
            {mayExport && (
              <Button icon="download" onClick={() => setAsking('export')}>
                {t('cards.export')}
              </Button>
            )}
            <Button icon="upload" onClick={() => setAsking('receipt')}>
              {t('cards.receipt.add')}
            </Button>
          </>
        }
      />
      {opened !== null && <PaymentDialog payment={opened} onClose={() => setOpened(null)} />}
      {asking === 'receipt' && (
        <Dialog
          open
          onOpenChange={(open) => open || close()}
          title={t('cards.receipt.add')}
          description={t('cards.receipt.addText')}
        >
          <ReceiptForm payment={null} onDone={close} />
        </Dialog>
      )}
      {asking === 'export' && (
        <PeriodDialog
          title={t('cards.export')}
          text={t('cards.exportText')}
          formats={['zip', 'csv']}
          names={{ zip: t('cards.export.zip'), csv: t('cards.export.csv') }}
          onDownload={downloadReceipts}
          onClose={close}
        />
      )}
    </Frame>
  );
}
