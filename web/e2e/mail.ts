import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from '@playwright/test'

/** The folder into which the server under test writes its mail: beside its demo accounts. */
function folder(): string {
  const accounts = process.env.VERDIGRAPH_ACCOUNTS
  if (!accounts) throw new Error('VERDIGRAPH_ACCOUNTS is not set')
  return join(dirname(accounts), 'mail')
}

/** Mails that were read before, by path. A file has its last name once it is complete, so it does not change. */
const texts = new Map<string, string>()

function textOf(path: string): string {
  const text = texts.get(path) ?? readFileSync(path, 'utf8')
  texts.set(path, text)
  return text
}

/** Decoded mails to an address, oldest first. */
function mailsTo(address: string): string[] {
  const files = readdirSync(folder()).filter((file) => file.endsWith('.eml'))
  return files
    .sort()
    .map((file) => textOf(join(folder(), file)))
    .filter((text) => text.includes(`To: ${address}`))
    .map((text) => text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))
}

/** The newest link to this page in the mails to an address. Waits for it. Other mails may come at any time. */
export async function linkFor(address: string, page: 'verify-email' | 'reset-password'): Promise<string> {
  const pattern = new RegExp(`http://\\S+/${page}#code=[\\w-]{43}`)
  const link = () =>
    mailsTo(address)
      .flatMap((mail) => mail.match(pattern)?.[0] ?? [])
      .at(-1)
  await expect.poll(link, { timeout: 20_000 }).toBeTruthy()
  return link() ?? ''
}

/** The code in the newest mailed link that confirms this address. */
export async function confirmationCode(address: string): Promise<string> {
  return new URL(await linkFor(address, 'verify-email')).hash.slice('#code='.length)
}
