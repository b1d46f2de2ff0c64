// A self-signed certificate, made without another program.
import { generateKeyPairSync, sign } from 'node:crypto'

/** Object identifiers: ecdsa-with-SHA256 and commonName. */
const ECDSA_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const [INTEGER, BIT_STRING, UTF8, UTC_TIME, SEQUENCE, SET] = [0x02, 0x03, 0x0c, 0x17, 0x30, 0x31]

/** A value of DER. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const pem = (label: string, content: Buffer): string =>
  `-----BEGIN ${label}-----\n${content.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`

/** Key and certificate in PEM for one host, valid from 2000 to 2049. */
export function selfSigned(host: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(SEQUENCE, ECDSA_SHA256)
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, Buffer.from(host)))))
  const validity = der(SEQUENCE, ...['000101000000Z', '491231235959Z'].map((at) => der(UTC_TIME, Buffer.from(at))))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const content = der(SEQUENCE, der(INTEGER, Buffer.from([1])), algorithm, name, validity, name, spki)
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', content, privateKey))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', der(SEQUENCE, content, algorithm, signature)),
  }
}
