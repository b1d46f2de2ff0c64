// Values for programs: the same members as JSON or as YAML.
import { formatOf, type OutputOption } from '../options.ts'
import { printJson } from './print.ts'

/** In the format that was asked for; JSON where that is for people. */
export async function printData(value: unknown, options: OutputOption): Promise<void> {
  if (formatOf(options) !== 'yaml') return printJson(value)
  const { yamlText } = await import('./yaml.ts')
  process.stdout.write(yamlText(value ?? {}))
}
