import { useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx';
import { Money } from '../../ui/money.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import type { Words } from './basics.tsx';
import { Row, Section } from './section.tsx';

type Opened = 'dialog' | 'confirm' | 'panel' | null;

export function OverlaysGallery({ words }: { words: Words }) {
  const [opened, setOpened] = useState<Opened>(null);
  const close = (open: boolean) => !open && setOpened(null);
  return (
    <Section title="Dialog, ConfirmDialog, SidePanel, Menu">
      <Row>
        <Button onClick={() => setOpened('dialog')}>Dialog</Button>
        <Button onClick={() => setOpened('confirm')}>ConfirmDialog</Button>
        <Button onClick={() => setOpened('panel')}>SidePanel</Button>
        <Menu trigger={<IconButton icon="more" label="Menu" kind="secondary" />} align="start">
          <MenuItem icon="eye">{words.description}</MenuItem>
          <MenuItem icon="download" disabled>
            PDF
          </MenuItem>
          <MenuLine />
          <MenuItem icon="trash" negative>
            {words.remove}
          </MenuItem>
        </Menu>
      </Row>
      <Dialog
        open={opened === 'dialog'}
        onOpenChange={close}
        title={words.notes}
        description={words.emptyText}
        actions={
          <Button kind="primary" onClick={() => setOpened(null)}>
            {words.save}
          </Button>
        }
      >
        <TextArea label={words.notes} />
      </Dialog>
      <ConfirmDialog
        open={opened === 'confirm'}
        onOpenChange={close}
        title={words.confirmTitle}
        description={words.confirmText}
        confirmText={words.send}
        facts={[
          { term: words.payee, value: words.company },
          { term: words.amount, value: <Money amount="1250.500000" coin="USDT" align="right" /> },
        ]}
        onConfirm={() => setOpened(null)}
      />
      <Drawer open={opened === 'panel'} onOpenChange={close} side="right" title={words.description}>
        <p className="m-0 p-5">{words.emptyText}</p>
      </Drawer>
    </Section>
  );
}
