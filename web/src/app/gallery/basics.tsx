import { ApiError } from '../../lib/api-error.ts';
import { toast } from '../../lib/toasts.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Banner, EmptyState, ErrorState, NoPermission, Skeleton } from '../../ui/states.tsx';
import { StatusDot, Tag } from '../../ui/status-dot.tsx';
import type { samples } from './samples.ts';
import { Columns, Row, Section } from './section.tsx';

export type Words = (typeof samples)['en-us'];

export function ButtonsGallery({ words }: { words: Words }) {
  return (
    <Section title="Button, IconButton, CopyButton">
      <Row>
        <Button kind="primary">{words.send}</Button>
        <Button>{words.save}</Button>
        <Button kind="quiet">{words.save}</Button>
        <Button kind="negative" icon="trash">
          {words.remove}
        </Button>
        <Button kind="primary" busy>
          {words.send}
        </Button>
        <Button disabled>{words.save}</Button>
        <Button kind="primary" disabled>
          {words.send}
        </Button>
      </Row>
      <Row>
        <Button size="small">{words.save}</Button>
        <Button size="medium" icon="plus">
          {words.payee}
        </Button>
        <Button size="large" kind="primary">
          {words.send}
        </Button>
        <IconButton icon="more" label={words.description} />
        <IconButton icon="trash" label={words.remove} kind="secondary" />
        <IconButton icon="close" label={words.remove} disabled />
        <CopyButton text="CW-84215530" />
      </Row>
    </Section>
  );
}

export function FeedbackGallery({ words }: { words: Words }) {
  const failure = new ApiError({ key: 'unavailable', status: 503, messages: [words.stale], requestId: 'req-01JD8Z3K' });
  return (
    <>
      <Section title="StatusDot, Tag">
        <Row>
          <StatusDot tone="positive">{words.completed}</StatusDot>
          <StatusDot tone="pending" detail={words.waiting}>
            {words.pending}
          </StatusDot>
          <StatusDot tone="negative">{words.failed}</StatusDot>
          <StatusDot tone="notice">{words.stages[1]}</StatusDot>
          <StatusDot tone="neutral">{words.stages[3]}</StatusDot>
          <Tag>{words.coin}</Tag>
          <Tag tone="positive">{words.completed}</Tag>
          <Tag tone="progress">{words.waiting}</Tag>
          <Tag tone="pending">{words.pending}</Tag>
          <Tag tone="negative">{words.failed}</Tag>
          <Tag tone="notice">12</Tag>
        </Row>
      </Section>
      <Section title="Banner, Toast, ProgressBar">
        <Banner kind="pending" action={<Button size="small">{words.save}</Button>}>
          {words.stale}
        </Banner>
        <Banner kind="notice">{words.emptyText}</Banner>
        <Banner kind="negative">{words.wrong}</Banner>
        <Banner kind="positive">{words.completed}</Banner>
        <Row>
          <Button onClick={() => toast('success', words.completed)}>success</Button>
          <Button onClick={() => toast('error', words.wrong, { detail: 'req-01JD8Z3K' })}>error</Button>
          <Button onClick={() => toast('notice', words.stale)}>notice</Button>
        </Row>
        <Columns>
          <ProgressBar label={words.batch} done={3120} total={5000} />
          <ProgressBar label={words.batch} done={null} />
        </Columns>
      </Section>
      <Section title="Skeleton, EmptyState, ErrorState, NoPermission">
        <Columns>
          <Card title={words.payee}>
            <div className="flex flex-col gap-3">
              <Skeleton width="w-40" />
              <Skeleton width="w-full" />
              <Skeleton width="w-24" height="h-7" />
            </div>
          </Card>
          <Card flush>
            <EmptyState
              icon="user"
              title={words.emptyTitle}
              text={words.emptyText}
              action={
                <Button kind="primary" icon="plus">
                  {words.payee}
                </Button>
              }
            />
          </Card>
          <Card flush>
            <ErrorState error={failure} onRetry={() => undefined} />
          </Card>
          <Card flush>
            <NoPermission />
          </Card>
        </Columns>
      </Section>
    </>
  );
}
