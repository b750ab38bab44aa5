import { Empty } from '#components/ui/empty.tsx';
import { TextLink } from '#components/ui/text-link.tsx';

export function NoRequests() {
  return (
    <Empty title="No request yet">
      Each finished request appears here, with where it went and why.{' '}
      <TextLink href="/connect">Connect a client</TextLink>
    </Empty>
  );
}
