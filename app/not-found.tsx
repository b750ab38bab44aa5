import type { Metadata } from 'next';
import { Empty } from '#components/ui/empty.tsx';
import { TextLink } from '#components/ui/text-link.tsx';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <Empty title="There is no such page">
      <TextLink href="/">Go to the models</TextLink>
    </Empty>
  );
}
