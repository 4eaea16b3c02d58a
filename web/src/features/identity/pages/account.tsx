import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useProfile } from '../api.ts';
import { AuthenticatorCard } from '../components/authenticator-card.tsx';
import { ChangePasswordCard } from '../components/change-password-card.tsx';
import { ProfileCard } from '../components/profile-card.tsx';

/** Account security: who one is, the password, the authenticator. */
export function Page() {
  const profile = useProfile();
  if (profile.data === undefined && profile.error !== null) {
    return (
      <Frame narrow>
        <Card>
          <ErrorState error={profile.error} onRetry={() => void profile.refetch()} />
        </Card>
      </Frame>
    );
  }
  return (
    <Frame narrow>
      <Loading loading={profile.data === undefined} skeleton={<Shape />}>
        {profile.data !== undefined && (
          <>
            <ProfileCard user={profile.data} />
            <AuthenticatorCard user={profile.data} />
            <ChangePasswordCard user={profile.data} />
          </>
        )}
      </Loading>
    </Frame>
  );
}

/** Three cards, as high as what will stand there. */
function Shape() {
  return (
    <div className="flex flex-col gap-6">
      {['h-72', 'h-36', 'h-120'].map((height) => (
        <Skeleton key={height} height={height} />
      ))}
    </div>
  );
}
