// `svc version` with options. Without any, cli/main.ts prints the version.
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
