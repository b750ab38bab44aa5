import { Table2 } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';

type Props = {
  readonly shown: boolean;
  readonly onChange: (shown: boolean) => void;
  /** Which chart's numbers, for the button's name. */
  readonly what: string;
};

/** Shows or hides the numbers behind a chart. */
export function TableToggle({ shown, onChange, what }: Props) {
  const word = shown ? 'Hide table' : 'Show table';
  return (
    <Button look="quiet" aria-expanded={shown} aria-label={`${word}: ${what}`} onClick={() => onChange(!shown)}>
      <Table2 aria-hidden="true" className="size-4" />
      {word}
    </Button>
  );
}
