import { act, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { LoginDialogProvider, userQuery } from '@/features/auth'
import { createQueryClient } from '@/shared/api/query-client'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { closeModal, openModal } from '@/shared/ui/modals'
import { announcementsQuery } from './announcements'
import { ModalHost } from './modal-host'

const told = (opens: boolean, workflows: string[] = []) => ({
  items: [
    {
      _id: `news-${opens}`,
      from: '2026-01-01T00:00:00Z',
      opens,
      title: { en: 'A new pool', ko: '새 풀' },
      text: { en: 'First.\n\nSecond.', ko: '첫째.\n\n둘째.' },
    },
  ],
  workflowAlert: {
    workflows,
    title: { en: 'Not available', ko: '사용할 수 없음' },
    text: { en: 'Back in July.', ko: '7월에 돌아옵니다.' },
  },
})

function show(announcements: ReturnType<typeof told>, path = '/') {
  stubApi({})
  const client = createQueryClient()
  client.setQueryData(userQuery().queryKey, null)
  client.setQueryData(announcementsQuery().queryKey, announcements)
  return renderApp(
    <LoginDialogProvider>
      <ModalHost />
    </LoginDialogProvider>,
    { client, path },
  )
}

describe('announcements', () => {
  it('wait to be opened, and count as seen from then on', async () => {
    show(told(false))
    expect(screen.queryByRole('dialog')).toBeNull()
    act(() => openModal('announcements', {}))
    expect(await screen.findByText('A new pool')).toBeTruthy()
    expect(screen.getByText('Second.')).toBeTruthy()
    expect(localStorage.getItem('vg.announcementsSeen')).toContain('news-false')
    act(() => closeModal('announcements'))
  })

  it('open by themselves where the operator wants it', async () => {
    show(told(true))
    expect(await screen.findByText('A new pool')).toBeTruthy()
    act(() => closeModal('announcements'))
  })

  it('warn whoever opens a workflow that does not work', async () => {
    show(told(false, ['app-1']), '/easy-app/app-1')
    expect(await screen.findByText('Back in July.')).toBeTruthy()
  })

  it('say nothing on the pages of other workflows', () => {
    show(told(false, ['app-1']), '/easy-app/app-2')
    expect(screen.queryByText('Back in July.')).toBeNull()
  })
})

describe('the guidebook', () => {
  it('opens at the chapter that is asked for', async () => {
    show(told(false))
    act(() => openModal('guidebook', { chapter: 'publish' }))
    expect(await screen.findByText('Change your mind')).toBeTruthy()
    act(() => closeModal('guidebook'))
  })
})
