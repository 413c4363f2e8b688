import { expect } from '@playwright/test'
import type { Row } from './row'

/** The home page and the create pages tell what this installation can do. */
export const HOME: Row[] = [
  {
    proves: 'Home: without a model it says what works, and what an operator connects to have more',
    path: '/',
    see: async (page) => {
      await expect(page.getByText(/^Works here now: .*Makes the background transparent/)).toBeVisible()
      await expect(page.getByText(/an operator connects a ComfyUI server with a model for pictures/)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Find an app' })).toBeVisible()
    },
  },
  {
    proves: 'Home: without a model it says what works, and what an operator connects to have more',
    language: 'ko',
    path: '/',
    see: (page) => expect(page.getByText(/운영자가 텍스트-이미지 모델이 있는 ComfyUI 서버를 연결/)).toBeVisible(),
  },
  {
    proves: 'Create: the page of videos searches only apps that make videos',
    path: '/create/video',
    see: async (page) => {
      const none = page.getByText('No video app yet')
      const field = page.getByRole('textbox', { name: 'What do you want to make?' })
      await expect(none.or(field)).toBeVisible()
      if (await none.isVisible()) {
        await expect(page.getByText(/an operator connects a ComfyUI server with a video model/)).toBeVisible()
        return
      }
      const asked = page.waitForRequest((request) => /mini-app\/suggest\?text=waves&makes=video/.test(request.url()))
      await field.fill('waves')
      await field.press('Enter')
      await asked
    },
  },
]
