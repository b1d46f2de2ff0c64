// `svc version`, where it is asked for more than the bare number; the bare one is answered in cli/svc.ts.
import type { Command } from 'commander'
import { isData, withExamples, withOutput } from '../options.ts'
import { print } from '../output/print.ts'
import { printData } from '../output/data.ts'
import { VERSION } from '../version.ts'

export function define(command: Command): void {
  withExamples(withOutput(command), 'svc version').action(async (options) => {
    if (isData(options)) await printData({ version: VERSION, node: process.versions.node }, options)
    else print(VERSION)
  })
}
