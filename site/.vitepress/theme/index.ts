// Without fonts: pages use those of the reader's system.
import theme from "vitepress/theme-without-fonts";
import "./site.css";

export default theme;
