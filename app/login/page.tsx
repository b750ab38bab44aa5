import { LoginPage } from '#components/access/login-page.tsx';
import { LanguageMenu } from '#components/shell/language-menu.tsx';
import { ThemeMenu } from '#components/shell/theme-menu.tsx';

export default function Page() {
  const menus = (
    <>
      <LanguageMenu />
      <ThemeMenu />
    </>
  );
  return <LoginPage menus={menus} />;
}
