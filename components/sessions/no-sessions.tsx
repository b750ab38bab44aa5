import { Empty } from '#components/ui/empty.tsx';
import { TextLink } from '#components/ui/text-link.tsx';

export function NoSessions() {
  return (
    <Empty title="No live sessions">
      A conversation appears here with its first routed turn. <TextLink href="/connect">Connect a client</TextLink>
    </Empty>
  );
}
