import * as Type from 'typebox'
import { closedObject, namedObject, orNull } from '../shapes.ts'

const bytes = Type.Integer({ minimum: 0 })
const time = Type.String({ format: 'date-time' })

/** Entries of the data folder that are listed. */
export const MOST_ENTRIES = 20

export const DiskSpace = closedObject({
  total_bytes: bytes,
  available_bytes: Type.Integer({ minimum: 0, description: 'For users other than root' }),
})
export type DiskSpace = Type.Static<typeof DiskSpace>

export const DiskForecast = closedObject({
  bytes_per_hour: Type.Number({ description: 'Change of the available space; negative while it shrinks' }),
  hours: Type.Number({ description: 'Time of the samples behind it, at most 6' }),
  full_at: orNull(time, 'When the disk is full at this rate; null if it does not shrink, or not within a year'),
})
export type DiskForecast = Type.Static<typeof DiskForecast>

export const DataEntry = closedObject({
  name: Type.String({ description: 'Folder or file in the data folder' }),
  bytes,
})
export type DataEntry = Type.Static<typeof DataEntry>

export const DataFolder = closedObject({
  entries: Type.Array(DataEntry, { description: `Largest first, at most ${MOST_ENTRIES}` }),
  other_bytes: Type.Integer({ minimum: 0, description: 'Of the entries that are not listed' }),
  complete: Type.Boolean({ description: 'False if a part could not be read or took too long' }),
  measured_at: time,
})
export type DataFolder = Type.Static<typeof DataFolder>

export const DiskUse = namedObject('DiskUse', {
  path: Type.String({ description: 'The data folder' }),
  space: orNull(DiskSpace, 'Of the disk of the data folder; null if the system does not tell'),
  forecast: orNull(DiskForecast, 'Null with less than half an hour of samples'),
  folder: orNull(DataFolder, 'The last measurement; null while the first one runs'),
  measuring: Type.Boolean({ description: 'Whether a measurement is running' }),
})
export type DiskUse = Type.Static<typeof DiskUse>
