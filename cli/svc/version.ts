// `svc version`, where it is asked for more than the bare number; the bare one is answered in cli/svc.ts.
import type { Command } from 'commander'
import { formatOf, withExamples, withOutput } from '../options.ts'
import { print, printJson } from '../output/print.ts'
import { VERSION } from '../version.ts'

export function define(command: Command): void {
  withExamples(withOutput(command), 'svc version').action((options) => {
    if (formatOf(options) === 'json') printJson({ version: VERSION, node: process.versions.node })
    else print(VERSION)
  })
}
