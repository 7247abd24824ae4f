import type { Item, NewItem } from '@risiti/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { risiti } from '../../api/client.ts'
import { faultsOf, wordsOf } from '../../api/queries.ts'
import { useCountry } from '../../session/country.ts'
import { CurrencyField } from '../../session/currency-field.tsx'
import { Button, DialogActions, fieldsOf, Notice, SelectField, TextField } from '../../ui/index.ts'
import { decimalOfMinorText, minorTextOf } from '../../ui/money.ts'
import { MoreFields } from '../../ui/more-fields.tsx'
import { units } from '../../ui/units.ts'
import { useCodes } from './use-codes.ts'
import '../../ui/form.css'

/** The values of a new item that are known from elsewhere. */
export type ItemDefaults = Partial<
  Pick<NewItem, 'name' | 'itemType' | 'unitCode' | 'taxCategory' | 'currency'> & {
    readonly code: string
    /** as typed */
    readonly price: string
  }
>

/** Without `item`, the form creates a new one. */
export function ItemForm({
  item,
  defaults = {},
  isShort = false,
  onDone,
}: {
  readonly item?: Item
  readonly defaults?: ItemDefaults
  /** shows only what an invoice needs; the other fields are under "More" */
  readonly isShort?: boolean
  readonly onDone: (item: Item) => void
}) {
  const country = useCountry()
  const [unitList, codeList] = [useId(), useId()]
  const [named, setNamed] = useState(item?.name ?? defaults.name ?? '')
  const { codes, advice, lookForCode } = useCodes()
  const [itemType, setItemType] = useState<Item['itemType']>(item?.itemType ?? defaults.itemType ?? 'goods')
  const categories = useQuery({
    queryKey: ['reference', 'tax-categories'],
    queryFn: () => risiti.reference.readList('tax-categories'),
    staleTime: 600_000,
  })
  const saving = useMutation({
    mutationFn: async (given: NewItem) =>
      item ? await risiti.items.update(item.id, given) : await risiti.items.create(given),
    onSuccess: onDone,
  })
  const faults = faultsOf(saving.error)
  const description = (
    <TextField
      label="Description"
      name="description"
      defaultValue={item?.description ?? ''}
      fault={faults.description}
    />
  )
  const currency = (
    <CurrencyField name="currency" defaultValue={item?.currency ?? defaults.currency} fault={faults.currency} />
  )
  const category = (
    <TextField
      label="Category"
      name="productCategory"
      defaultValue={item?.productCategory}
      hint="Your own name for a group of items. Without one, Risiti takes the group of the code."
      fault={faults.productCategory}
    />
  )
  const sku = (
    <TextField label="SKU" help="sku" name="sku" autoComplete="off" defaultValue={item?.sku ?? ''} fault={faults.sku} />
  )
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        const { text, maybe } = fieldsOf(event)
        const currency = text('currency')
        const code = maybe('code') ?? null
        saving.mutate({
          name: text('name'),
          description: maybe('description') ?? null,
          itemType,
          hsnCode: itemType === 'goods' ? code : null,
          serviceCode: itemType === 'service' ? code : null,
          // The authority asks for words beside the code: those of the code's group, if the person wrote none.
          productCategory:
            maybe('productCategory') ?? codes.find((each) => each.code === code)?.category ?? text('name'),
          unitCode: text('unitCode').toUpperCase(),
          unitPriceMinor: minorTextOf(text('price'), currency),
          currency,
          taxCategory: text('taxCategory'),
          sku: maybe('sku') ?? null,
        })
      }}
    >
      {saving.isError && <Notice tone="bad">{wordsOf(saving.error)}</Notice>}
      <TextField
        label="Name"
        name="name"
        required
        defaultValue={item?.name ?? defaults.name}
        onChange={({ target }) => setNamed(target.value)}
        fault={faults.name}
      />
      {!isShort && description}
      <div className="form-pair">
        <SelectField
          label="Kind"
          options={[
            ['goods', 'Goods'],
            ['service', 'Service'],
          ]}
          value={itemType}
          onChange={({ target }) => setItemType(target.value as Item['itemType'])}
          fault={faults.itemType}
        />
        <TextField
          label={itemType === 'goods' ? 'HS code' : 'Service code'}
          help={itemType === 'goods' ? 'hsCode' : 'serviceCode'}
          name="code"
          list={codeList}
          autoComplete="off"
          hint={advice ?? 'Type a word that describes the item, then choose a code.'}
          onFocus={({ target }) => lookForCode(itemType, target.value || named)}
          onChange={({ target }) => lookForCode(itemType, target.value)}
          defaultValue={item?.hsnCode ?? item?.serviceCode ?? defaults.code ?? ''}
          fault={faults.hsnCode ?? faults.serviceCode}
        />
        <TextField
          label="Unit price"
          name="price"
          inputMode="decimal"
          autoComplete="off"
          required
          defaultValue={item ? decimalOfMinorText(item.unitPriceMinor, item.currency) : defaults.price}
          fault={faults.unitPriceMinor}
        />
        {!isShort && currency}
        <TextField
          label="Unit"
          help="unit"
          name="unitCode"
          list={unitList}
          required
          defaultValue={item?.unitCode ?? defaults.unitCode ?? 'EA'}
          hint="Unit code, such as EA (each), KGM, LTR or HUR."
          fault={faults.unitCode}
        />
        <SelectField
          key={categories.dataUpdatedAt}
          label="Tax"
          name="taxCategory"
          options={categories.data?.entries.map(({ code, name }) => [code, name] as const) ?? []}
          defaultValue={item?.taxCategory ?? defaults.taxCategory ?? country.taxCategories[0]?.code}
          fault={faults.taxCategory}
        />
        {!isShort && (
          <>
            {category}
            {sku}
          </>
        )}
      </div>
      {isShort && (
        <MoreFields
          isOpen={[faults.description, faults.currency, faults.productCategory, faults.sku].some(
            (fault) => fault !== undefined,
          )}
        >
          {description}
          <div className="form-pair">
            {currency}
            {category}
            {sku}
          </div>
        </MoreFields>
      )}
      <datalist id={codeList}>
        {codes.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </datalist>
      <datalist id={unitList}>
        {units.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </datalist>
      <DialogActions>
        <Button kind="primary" type="submit" busy={saving.isPending}>
          {item ? 'Save' : 'Add the item'}
        </Button>
      </DialogActions>
    </form>
  )
}
