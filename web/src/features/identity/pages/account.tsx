import { useText } from '../../../lib/locale.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useProfile } from '../api.ts';
import { AuthenticatorCard } from '../components/authenticator-card.tsx';
import { ChangePasswordCard } from '../components/change-password-card.tsx';
import { PasskeysCard } from '../components/passkeys-card.tsx';
import { ProfileCard } from '../components/profile-card.tsx';
import { Section, SectionLinks } from '../components/sections.tsx';
import { SessionsCard } from '../components/sessions-card.tsx';
import { TrustedBrowsersCard } from '../components/trusted-browsers-card.tsx';

/** My account: who one is, the password, what confirms a sign-in, and where one is signed in. */
export function Page() {
  const t = useText();
  const profile = useProfile();
  if (profile.data === undefined && profile.error !== null) {
    return (
      <CardPage narrow>
        <ErrorState error={profile.error} onRetry={() => void profile.refetch()} />
      </CardPage>
    );
  }
  if (profile.data?.look) {
    return (
      <CardPage narrow>
        <EmptyState icon="user" title={t('account.look')} text={t('account.lookText')} />
      </CardPage>
    );
  }
  return (
    <Frame narrow>
      <Loading loading={profile.data === undefined} skeleton={<Shape />}>
        {profile.data !== undefined && (
          <>
            <SectionLinks />
            <Section id="profile">
              <ProfileCard user={profile.data} />
            </Section>
            <Section id="password">
              <ChangePasswordCard user={profile.data} />
            </Section>
            <Section id="two-step">
              <AuthenticatorCard user={profile.data} />
              <PasskeysCard user={profile.data} />
            </Section>
            <Section id="sessions">
              <SessionsCard />
              <TrustedBrowsersCard />
            </Section>
          </>
        )}
      </Loading>
    </Frame>
  );
}

/** Placeholders of the first cards, as high as their content. */
function Shape() {
  return (
    <div className="flex flex-col gap-6">
      {['h-72', 'h-120', 'h-36'].map((height) => (
        <Skeleton key={height} height={height} />
      ))}
    </div>
  );
}
