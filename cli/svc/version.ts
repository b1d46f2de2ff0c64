// `svc version` with options; without options, cli/main.ts prints it.
import type { Command } from 'commander'
import { withExamples, withOutput } from '../options.ts'
import { show } from '../output/data.ts'
import { VERSION } from '../version.ts'

export function define(command: Command): void {
  withExamples(withOutput(command), 'svc version').action(async (options) => {
    await show({ version: VERSION, node: process.versions.node }, options, VERSION)
  })
}
