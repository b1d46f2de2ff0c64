import { formatOf, isData, type OutputOption } from '../options.ts'
import { print, printJson } from './print.ts'

/** Prints YAML if requested, else JSON. */
export async function printData(value: unknown, options: OutputOption): Promise<void> {
  if (formatOf(options) !== 'yaml') return printJson(value)
  const { yamlText } = await import('./yaml.ts')
  process.stdout.write(yamlText(value ?? {}))
}

export async function show(value: unknown, options: OutputOption, text: string | (() => string)): Promise<void> {
  if (isData(options)) await printData(value, options)
  else print(typeof text === 'string' ? text : text())
}
