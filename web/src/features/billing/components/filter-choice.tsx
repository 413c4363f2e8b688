import { SelectField } from '@/shared/ui/select'

type FilterChoiceProps<One extends string> = {
  label: string
  /** Empty: all. */
  value: One | ''
  all: readonly One[]
  titleOfAll: string
  titleOf: (one: One) => string
  onChoose: (value: One | '') => void
}

/** A filter that has one of some words, or none. */
export function FilterChoice<One extends string>({
  label,
  value,
  all,
  titleOfAll,
  titleOf,
  onChoose,
}: FilterChoiceProps<One>) {
  return (
    <SelectField
      label={label}
      value={value}
      onChange={({ target }) => onChoose(all.find((one) => one === target.value) ?? '')}
    >
      <option value="">{titleOfAll}</option>
      {all.map((one) => (
        <option key={one} value={one}>
          {titleOf(one)}
        </option>
      ))}
    </SelectField>
  )
}
