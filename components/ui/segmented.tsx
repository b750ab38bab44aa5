import { RadioGroup } from 'radix-ui';

type Props<T extends string> = {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string; readonly name?: string }[];
  readonly onChange: (value: T) => void;
};

/** A few choices in a row, one of them taken; arrow keys move. */
export function Segmented<T extends string>({ label, value, options, onChange }: Props<T>) {
  const choose = (chosen: string) => {
    const option = options.find((one) => one.value === chosen);
    if (option) onChange(option.value);
  };
  return (
    <RadioGroup.Root
      aria-label={label}
      value={value}
      onValueChange={choose}
      orientation="horizontal"
      className="inline-flex rounded-md border border-line-strong bg-raised p-0.5"
    >
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          value={option.value}
          aria-label={option.name ?? option.label}
          className="h-7 rounded px-2.5 font-medium text-muted tabular-nums transition-colors hover:text-ink data-[state=checked]:bg-hover data-[state=checked]:text-ink"
        >
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
